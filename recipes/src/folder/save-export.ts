import { join } from 'node:path';

import type { ServiceActions } from '../open-carriers.ts';
import type { Carrier, Preparation, ProbeResult, SendResult, UpdateResult } from '../shipment.ts';
import { explainExportFault } from './explain-export-fault.ts';
import type { FileOrder } from './file-order.ts';
import { findFile, nameFile, readWrittenMs } from './find-file.ts';
import { findTags, tagMeeting } from './tag-meeting.ts';

/** The clock of a file server may be behind ours. */
const slowestClockMs = 2000;

/**
 * Opens the folders of this machine. A file is streamed beside its place under another name and then renamed, so that
 * it is there whole or not at all, and putting it there twice is the same as once. A file of that name is taken for an
 * earlier one of the same meeting and the same archive: the usual name tells both, and of other names that two archives
 * share their check warns. The folder itself is never made: an empty place where a disk should be mounted would fill
 * the wrong one.
 */
export function openFolder(timeoutMs: number, service: ServiceActions | undefined): Carrier<FileOrder> {
  return {
    prepare: async (order): Promise<Preparation> => {
      if (service === undefined) {
        return { result: 'permanent', cause: 'nothing can be exported without the service', contact: 'none' };
      }
      const { tags: names, mayCreateTags: mayCreate } = order;
      const found = await findTags(service.tags, {
        names,
        mayCreate,
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (found.result !== 'found') return found;
      const filing: Filing = { service, order, tagIds: found.ids, timeoutMs };
      return {
        result: 'ready',
        shipment: {
          timeoutMs,
          send: () => putFile(filing, order.name),
          probe: (sinceMs) => lookForFile(order, sinceMs),
          update: (reference) => replaceFile(filing, reference),
        },
      };
    },
    close: async () => {},
  };
}

interface Filing {
  readonly service: ServiceActions;
  readonly order: FileOrder;
  readonly tagIds: readonly string[];
  readonly timeoutMs: number;
}

async function putFile({ service, order, tagIds, timeoutMs }: Filing, name: string): Promise<SendResult> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { input, folder } = order;
  try {
    await service.exports.download(input, join(folder, name), { overwrite: true, signal });
  } catch (error) {
    return explainExportFault(error);
  }
  const untagged = await tagMeeting(service.tags, input.meeting_id, tagIds, signal);
  if (untagged === undefined) return { result: 'sent', reference: nameFile(name) };
  // The file is found again, and what is missing is done then.
  const { cause, contact } = untagged;
  if (untagged.result === 'permanent') return untagged;
  return { result: 'unknown', cause, contact: contact ?? 'answered' };
}

/** A file that is older than the first attempt is that of an earlier report. */
async function lookForFile({ folder, name, tags }: FileOrder, sinceMs: number): Promise<ProbeResult> {
  try {
    const writtenMs = await readWrittenMs(join(folder, name));
    if (writtenMs === undefined || writtenMs < sinceMs - slowestClockMs) {
      return { result: 'absent', contact: 'none' };
    }
    const reference = nameFile(name);
    return { result: tags.length === 0 ? 'found' : 'begun', reference, contact: 'none' };
  } catch (error) {
    return { result: 'not_asked', cause: explainExportFault(error).cause, contact: 'none' };
  }
}

/** The file keeps its name, whatever the meeting is called now: others may link to it. */
async function replaceFile(filing: Filing, reference: string): Promise<UpdateResult> {
  let name: string | undefined;
  try {
    name = await findFile(filing.order.folder, reference);
  } catch (error) {
    return explainExportFault(error);
  }
  if (name !== undefined) return await putFile(filing, name);
  const cause = 'the file was moved or deleted since; it is not put there once more';
  return { result: 'gone', cause, contact: 'none' };
}
