import type { WebClient } from '@slack/web-api';

import type { ServiceActions } from '../open-carriers.ts';
import type { Preparation, SendResult, ShipmentLabel, UpdateResult } from '../shipment.ts';
import { splitText } from '../text/cut-text.ts';
import { classifySlackError } from './classify-slack-error.ts';
import { findSlackMessage, type SoughtMessage } from './find-slack-message.ts';
import { readExport } from './read-export.ts';
import type { SlackFile } from './slack-message.ts';
import { formatReference } from './slack-reference.ts';
import { uploadFile } from './upload-file.ts';

export interface FileTools {
  readonly client: WebClient;
  readonly service: ServiceActions | undefined;
  /** Of one call of Slack's interface. Milliseconds. */
  readonly timeoutMs: number;
}

/** How long the export, and its way to Slack, may take. Milliseconds. */
const exportMs = 25_000;
const uploadMs = 15_000;
/** Of the effect's key: what a file's name carries, so that it is found again. */
const markLength = 12;

/**
 * An export as a reply. Fetching it and handing its bytes to Slack may be repeated without harm; the last call posts it,
 * and is the only one of which nobody may know what became of it (docs.slack.dev, Working with files). A file that was
 * posted stays: another edition of the report is another file beside it.
 */
export function shipFile(
  file: SlackFile,
  { effectKey, target }: ShipmentLabel,
  thread: { readonly channel: string; readonly ts: string } | undefined,
  { client, service, timeoutMs }: FileTools,
): Preparation {
  if (service === undefined) {
    const cause = 'nothing can be exported: the worker has no access to the service';
    return { result: 'permanent', cause, contact: 'none' };
  }
  const channel = thread?.channel ?? target;
  const fileEnding = `-${effectKey.slice(0, markLength)}.${file.format}`;
  const sought: SoughtMessage = {
    effectKey,
    target: channel,
    fileEnding,
    ...(thread === undefined ? {} : { threadTs: thread.ts }),
  };
  const send = async (): Promise<SendResult> => {
    const content = await readExport(service, file, exportMs);
    if ('result' in content) return content;
    const name = `${slug(file.name)}${fileEnding}`;
    const uploaded = await uploadFile(client, name, content, uploadMs);
    await content.discard();
    if ('result' in uploaded) return uploaded;
    return await shareFile(client, { id: uploaded.id, title: file.name }, channel, thread?.ts);
  };
  const probe = (sinceMs: number) => findSlackMessage(client, sought, sinceMs, timeoutMs);
  return {
    result: 'ready',
    shipment: {
      timeoutMs: exportMs + uploadMs + 4 * timeoutMs,
      send,
      probe,
      update: async (): Promise<UpdateResult> => {
        // It may be a repetition: the name says which effect a file is of.
        const found = await probe(Number(thread?.ts ?? 0) * 1000);
        if (found.result === 'found') return { result: 'sent', reference: found.reference };
        if (found.result === 'absent') return await send();
        if (found.result === 'rate_limited') return found;
        const cause = 'cause' in found ? found.cause : 'Slack does not say whether the file is there';
        return { result: 'not_sent_retry', cause };
      },
    },
  };
}

async function shareFile(
  client: WebClient,
  file: { readonly id: string; readonly title: string },
  channel: string,
  threadTs: string | undefined,
): Promise<SendResult> {
  try {
    const place =
      threadTs === undefined ? { channel_id: channel } : { channel_id: channel, thread_ts: threadTs };
    await client.files.completeUploadExternal({ files: [{ ...file }], ...place });
    return { result: 'sent', reference: formatReference(channel, file.id) };
  } catch (error) {
    return classifySlackError(error);
  }
}

/** A name that every file system takes. */
function slug(name: string): string {
  const words = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return splitText(words, 60)[0] ?? 'meeting';
}
