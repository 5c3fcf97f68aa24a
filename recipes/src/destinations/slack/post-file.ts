import { ServiceError } from '@aftermeet/client';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { ServiceActions } from '../../engine/destination.ts';
import type {
  NotSent,
  Preparation,
  SendResult,
  SendLabel,
  UpdateResult,
} from '../../engine/prepared-send.ts';
import { explainServiceFault } from '../../engine/service-access.ts';
import { type Spooled, spoolStream } from '../../engine/spool-stream.ts';
import { splitText } from '../../report/clean-text.ts';
import { classifySlackError, toNotSent } from './classify-slack-error.ts';
import { findSlackMessage, type MessageQuery } from './find-message.ts';
import { formatReference, type SlackFile, type SlackPlace } from './message.ts';

export interface FileTools {
  readonly client: WebClient;
  /** Absent: nothing can be exported. */
  readonly service: ServiceActions | undefined;
  /** Milliseconds per call to Slack's API. */
  readonly timeoutMs: number;
}

const exportTimeoutMs = 25_000;
const uploadTimeoutMs = 15_000;
/** An export of a long meeting has a few megabytes. */
const maxExportBytes = 50 * 1024 * 1024;
/** Characters of the effect key in the file name, by which the file is found. */
const keyLength = 12;

/**
 * Prepares an export as a reply. Exporting and uploading are safe to repeat; the last call posts the file and is the only
 * one whose outcome can be unknown (docs.slack.dev, Working with files). A posted file stays: the export of a changed
 * report is another file beside it.
 */
export function prepareFile(
  file: SlackFile,
  { effectKey, target }: SendLabel,
  thread: SlackPlace | undefined,
  { client, service, timeoutMs }: FileTools,
): Preparation {
  if (service === undefined) {
    const cause = 'nothing can be exported: the worker has no access to the service';
    return { result: 'permanent', cause, contact: 'none' };
  }
  const channel = thread?.channel ?? target;
  const fileEnding = `-${effectKey.slice(0, keyLength)}.${file.format}`;
  const query: MessageQuery = {
    effectKey,
    channel,
    fileEnding,
    ...(thread === undefined ? {} : { threadTs: thread.ts }),
  };
  const send = async (): Promise<SendResult> => {
    const content = await fetchExport(service, file);
    if ('result' in content) return content;
    const uploaded = await uploadFile(client, `${toFileName(file.name)}${fileEnding}`, content);
    await content.discard();
    if ('result' in uploaded) return uploaded;
    return await shareFile(client, { id: uploaded.id, title: file.name }, channel, thread?.ts);
  };
  const probe = (sinceMs: number) => findSlackMessage(client, query, sinceMs, timeoutMs);
  return {
    result: 'ready',
    prepared: {
      timeoutMs: exportTimeoutMs + uploadTimeoutMs + 4 * timeoutMs,
      send,
      probe,
      update: async (): Promise<UpdateResult> => {
        // An earlier update may have posted the file of this effect.
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

/** Writes the export to the local disk. A failure here says nothing about Slack, so the channel does not wait. */
async function fetchExport(
  service: ServiceActions,
  { meetingId, format }: SlackFile,
): Promise<Spooled | NotSent> {
  try {
    const { stream } = await service.exports.stream(
      { meetingId, format },
      { signal: AbortSignal.timeout(exportTimeoutMs) },
    );
    const spooled = await spoolStream(stream, maxExportBytes);
    if (spooled === undefined) {
      return { result: 'permanent', cause: 'the export is larger than 50 MiB', contact: 'none' };
    }
    if (spooled.bytes > 0) return spooled;
    await spooled.discard();
    return { result: 'permanent', cause: 'the export is empty', contact: 'none' };
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      const cause = 'the export cannot be written to this machine: check the free space for temporary files';
      return { result: 'not_sent_retry', cause, contact: 'none' };
    }
    const fault = explainServiceFault(error, 'the export cannot be fetched');
    if (fault.result !== 'rate_limited') return { ...fault, contact: 'none' };
    return { result: 'not_sent_retry', cause: fault.cause, contact: 'none' };
  }
}

const uploadSchema = z.object({ upload_url: z.url({ protocol: /^https?$/ }), file_id: z.string() });

/** Client errors that may pass: a timeout and a rate limit. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 429]);

/**
 * Uploads the bytes of a file. It stays invisible until it is shared, so a failed upload is surely not sent
 * (docs.slack.dev, files.getUploadURLExternal).
 */
async function uploadFile(
  client: WebClient,
  filename: string,
  content: Spooled,
): Promise<{ readonly id: string } | NotSent> {
  try {
    const answer = await client.files.getUploadURLExternal({ filename, length: content.bytes });
    const { upload_url: url, file_id: id } = uploadSchema.parse(answer);
    const uploaded = await fetch(url, {
      method: 'POST',
      body: content.read(),
      duplex: 'half',
      redirect: 'error',
      // `fetch` does not know the length of a stream and would send it in chunks.
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(content.bytes) },
      signal: AbortSignal.timeout(uploadTimeoutMs),
    });
    // An unread body would block the connection.
    await uploaded.arrayBuffer();
    if (uploaded.ok) return { id };
    const cause = `Slack answered ${String(uploaded.status)} to the upload of a file`;
    const isPermanent = uploaded.status < 500 && !retryableStatuses.has(uploaded.status);
    return { result: isPermanent ? 'permanent' : 'not_sent_retry', cause };
  } catch (error) {
    return toNotSent(classifySlackError(error));
  }
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

/** A name that every file system accepts. */
function toFileName(name: string): string {
  const words = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return splitText(words, 60)[0] ?? 'meeting';
}
