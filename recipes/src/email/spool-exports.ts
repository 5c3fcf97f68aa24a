import { addAbortSignal, Readable } from 'node:stream';

import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';

import type { ServiceActions } from '../open-carriers.ts';
import { type Spooled, spoolStream } from '../spool/spool-stream.ts';
import type { AttachedFormat } from './mail-message.ts';
import { type StartTimer, startTimer } from './transmit-mail.ts';

/** A file that waits on this machine for its mail to leave. */
export interface SpooledFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** From its beginning, each time; breaks once it was let go of. */
  readonly read: () => Readable;
}

/** What of the wished files is here. */
export type Spooling =
  | {
      readonly result: 'ready';
      readonly files: readonly SpooledFile[];
      /** Why some of them are not; for the reader of the mail. */
      readonly notes: readonly string[];
      /** Lets go of everything; again is harmless. */
      readonly discard: () => Promise<void>;
    }
  | { readonly result: 'not_sent_retry'; readonly cause: string };

/** Of all attachments of a mail together: in base64 they grow by 37 %, and the strictest of the large servers take 25 MiB. */
const attachmentLimit = 18 * 1024 * 1024;

/** Of all attachments of a mail together: one that comes byte by byte would hold a place among the mails for ever. */
const downloadMs = 60_000;

const contentTypes: Readonly<Record<AttachedFormat, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown; charset=utf-8',
};

/** What no later try can change: the mail is worth more than its attachment, and goes without it. */
const hopelessCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'bad_request',
  'not_found',
  'unreadable',
  'redirected',
  'conflict',
  'unexpected_status',
]);

/**
 * Fetches the exports of a meeting into files that no folder lists: whatever becomes of this process, they go with it. A
 * file that can't be had, or that is too large, is left out with a note; what may pass, and what is not here within a
 * minute, is `not_sent_retry`.
 */
export async function spoolExports(
  service: Pick<ServiceActions, 'exports'> | undefined,
  meetingId: string,
  formats: readonly AttachedFormat[],
  { limit = attachmentLimit, start = startTimer }: SpoolTools = {},
): Promise<Spooling> {
  const kept: Spooled[] = [];
  const files: SpooledFile[] = [];
  const notes: string[] = [];
  const discard = async (): Promise<void> => {
    await Promise.all(kept.splice(0).map((spooled) => spooled.discard()));
  };
  if (formats.length === 0) return { result: 'ready', files, notes, discard };
  const ending = new AbortController();
  const callOff = start(downloadMs, () => ending.abort());
  let left = limit;
  try {
    for (const format of new Set(formats)) {
      const spooled = await spool(service, { meeting_id: meetingId, format }, left, ending.signal);
      if ('note' in spooled) notes.push(spooled.note);
      else {
        kept.push(spooled.spooled);
        files.push(spooled.file);
        left -= spooled.spooled.bytes;
      }
    }
    return { result: 'ready', files, notes, discard };
  } catch (error) {
    await discard();
    const cause = ending.signal.aborted ? 'the attachment did not come in time' : explain(error);
    return { result: 'not_sent_retry', cause };
  } finally {
    callOff();
  }
}

export interface SpoolTools {
  /** Bytes of all files together. */
  readonly limit?: number;
  readonly start?: StartTimer;
}

type SpooledExport = { readonly spooled: Spooled; readonly file: SpooledFile } | { readonly note: string };

async function spool(
  service: Pick<ServiceActions, 'exports'> | undefined,
  order: { readonly meeting_id: string; readonly format: AttachedFormat },
  room: number,
  signal: AbortSignal,
): Promise<SpooledExport> {
  const { format } = order;
  const name = format.toUpperCase();
  const missing = `The report as ${name} could not be attached.`;
  if (service === undefined) return { note: missing };
  try {
    const { stream, filename } = await service.exports.stream(order, { signal });
    const spooled = await spoolStream(addAbortSignal(signal, stream), room);
    if (spooled === undefined) return { note: `The report as ${name} is too large to be attached.` };
    if (spooled.bytes === 0) {
      await spooled.discard();
      return { note: missing };
    }
    const { bytes } = spooled;
    const read = (): Readable => Readable.from(spooled.read());
    return { spooled, file: { filename, contentType: contentTypes[format], bytes, read } };
  } catch (error) {
    if (error instanceof ServiceError && hopelessCodes.has(error.code)) return { note: missing };
    throw error;
  }
}

/** Codes only: what the service answered can be anything. */
function explain(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'the attachment can not be kept on this machine now';
  const status = error.status === undefined ? '' : ` (${error.status})`;
  return `the attachment can not be fetched now: ${error.code}${status}`;
}
