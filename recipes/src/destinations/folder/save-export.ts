import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type ExportInput, ServiceError } from '@aftermeet/client';

import type { Recalled, SentThing, ServiceActions } from '../../engine/destination.ts';
import type {
  Connector,
  NotSent,
  Preparation,
  ProbeResult,
  SendResult,
  UpdateResult,
} from '../../engine/prepared-send.ts';
import { explainServiceFault } from '../../engine/service-access.ts';
import { readErrorCode } from '../http/guard-address.ts';
import type { FolderNeed } from './check.ts';
import { findTagIds, tagMeeting } from './tag-meeting.ts';

/** How far the clock of a file server may be behind. */
const MAX_CLOCK_LAG_MS = 2000;

/**
 * Opens the folder connector. A file is streamed to a temporary name and then renamed, so it is complete or absent, and
 * writing it twice is the same as once. A file of the same name is an earlier version of the same meeting and archive: the
 * default name identifies both, and `recipes check` warns when other names collide. The folder is never created, because an
 * unmounted disk would otherwise fill another one.
 */
export function openFolder(timeoutMs: number, service: ServiceActions | undefined): Connector<FileOrder> {
  return {
    prepare: async (order): Promise<Preparation> => {
      if (service === undefined) {
        return { result: 'permanent', cause: 'nothing can be exported without the service', contact: 'none' };
      }
      const { tags: names, mayCreateTags: mayCreate } = order;
      const found = await findTagIds(service.tags, {
        names,
        mayCreate,
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (found.result !== 'found') return found;
      const filing: Filing = { service, order, tagIds: found.ids, timeoutMs };
      return {
        result: 'ready',
        prepared: {
          timeoutMs,
          send: () => putFile(filing, order.name),
          probe: (sinceMs) => probeFile(order, sinceMs),
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
  const { input, folder, mode } = order;
  const rights = mode === undefined ? {} : { mode };
  try {
    await service.exports.download(input, join(folder, name), { overwrite: true, signal, ...rights });
  } catch (error) {
    return classifyExportError(error);
  }
  const untagged = await tagMeeting(service.tags, input.meetingId, tagIds, signal);
  if (untagged === undefined) return { result: 'sent', reference: hashFileName(name) };
  // The probe finds the file, and `finish` attaches the missing tags.
  const { cause, contact } = untagged;
  if (untagged.result === 'permanent') return untagged;
  return { result: 'unknown', cause, contact: contact ?? 'answered' };
}

/** A file older than the first attempt belongs to an earlier report. */
async function probeFile({ folder, name, tags }: FileOrder, sinceMs: number): Promise<ProbeResult> {
  try {
    const writtenMs = await readWrittenMs(join(folder, name));
    if (writtenMs === undefined || writtenMs < sinceMs - MAX_CLOCK_LAG_MS) {
      return { result: 'absent', contact: 'none' };
    }
    const reference = hashFileName(name);
    return { result: tags.length === 0 ? 'found' : 'begun', reference, contact: 'none' };
  } catch (error) {
    return { result: 'not_asked', cause: classifyExportError(error).cause, contact: 'none' };
  }
}

/** The file keeps its name when the meeting is renamed, because links may point to it. */
async function replaceFile(filing: Filing, reference: string): Promise<UpdateResult> {
  let name: string | undefined;
  try {
    name = await findFile(filing.order.folder, reference);
  } catch (error) {
    return classifyExportError(error);
  }
  if (name !== undefined) return await putFile(filing, name);
  const cause = 'the file was moved or deleted; it is not written again';
  return { result: 'gone', cause, contact: 'none' };
}

/** Deletes a file that was saved; its tags at the service stay. Never throws. */
export async function deleteFile({ reference, need }: SentThing<FolderNeed>): Promise<Recalled> {
  if (need === undefined)
    return { ok: false, cause: 'its recipe is not configured: its folder is not known' };
  try {
    const name = await findFile(need.folder, reference);
    if (name !== undefined) await rm(join(need.folder, name));
    return { ok: true };
  } catch (error) {
    return { ok: false, cause: classifyExportError(error).cause };
  }
}

/** The ledger stores a hash of the name, because the name holds the title of the meeting. */
function hashFileName(name: string): string {
  return createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 32);
}

/** The name of the file with this reference; undefined when it is gone. */
async function findFile(folder: string, reference: string): Promise<string | undefined> {
  return (await readdir(folder)).find((name) => hashFileName(name) === reference);
}

/** Modification time in milliseconds since 1970; undefined when the file does not exist. */
async function readWrittenMs(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.mtimeMs : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Errors of the file system that a person can resolve; the effect is retried. */
const advice: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENOENT: 'the folder is not there: make it, or mount its disk',
  ENOTDIR: 'the folder is not there: make it, or mount its disk',
  EACCES: 'this process may not use the folder',
  EPERM: 'this process may not use the folder',
  EROFS: 'the disk is mounted for reading alone',
};

/** Classifies an error of the service or of the file system. Throws any other error without its message. */
export function classifyExportError(error: unknown): NotSent {
  const code = readFileCode(error);
  if (code !== undefined) return toFileError(code);
  return explainServiceFault(error, 'the export cannot be fetched');
}

function toFileError(code: string): NotSent {
  const cause = `the file cannot be written: ${advice[code] ?? 'the disk is in trouble'} (${code})`;
  return { result: 'not_sent_retry', cause, contact: 'none' };
}

/** The code of a file system error; undefined for other errors. */
function readFileCode(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) {
    return error instanceof Error && 'syscall' in error ? readErrorCode(error) : undefined;
  }
  const isOfFile =
    error.code === 'file_system' || (error.code === 'bad_request' && error.status === undefined);
  return isOfFile ? error.systemCode : undefined;
}

/** One export of a meeting to be written into a folder. */
export interface FileOrder {
  /** Input of the export request. */
  readonly input: ExportInput;
  /** Absolute, or relative to the working directory of the worker. */
  readonly folder: string;
  /** File name with extension, unique to the meeting. */
  readonly name: string;
  /** Who may read and write the file; absent: the user of the worker alone. */
  readonly mode?: number;
  /** Hash of the report in lowercase hex: the file itself is not known before it is fetched. */
  readonly edition: string;
  /** Names of tags that are attached to the meeting after the file is written. */
  readonly tags: readonly string[];
  /** Missing tags are created. */
  readonly mayCreateTags: boolean;
}
