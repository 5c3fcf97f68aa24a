import { addAbortSignal, Readable } from 'node:stream';

import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';

import type { ServiceActions } from '../../engine/destination.ts';
import { type Spooled, spoolStream } from '../../engine/spool-stream.ts';
import { pickWords, type Words } from '../../words/index.ts';
import type { AttachedFile, AttachedFormat, MailMessage } from './compose-mail.ts';
import { startTimer, type StartTimer } from './smtp-connection.ts';

/** Downloads attachments for mails that are being sent. */
interface AttachmentStore {
  /** Downloads the attachments of a mail. */
  fetch(message: Pick<MailMessage, 'attach' | 'meetingId' | 'language'>): Promise<Spooling>;
  close(): Promise<void>;
}

/** Files of a mail that is prepared but not sent (another worker sent it) are discarded after `keptMs`. */
export function openAttachmentStore(
  service: Pick<ServiceActions, 'exports'> | undefined,
  keptMs: number,
  start: StartTimer = startTimer,
): AttachmentStore {
  const kept = new Set<() => Promise<void>>();
  return {
    async fetch({ attach = [], meetingId = '', language }) {
      const words = pickWords(language);
      const spooled = await spoolExports(service, meetingId, attach, { start, words });
      if (spooled.result !== 'ready' || spooled.files.length === 0) return spooled;
      const discard = async (): Promise<void> => {
        clearTimeout(timer);
        kept.delete(discard);
        await spooled.discard();
      };
      const timer = setTimeout(() => void discard(), keptMs).unref();
      kept.add(discard);
      return { ...spooled, discard };
    },
    async close() {
      await Promise.all([...kept].map((discard) => discard()));
    },
  };
}

/** Downloaded files, or why the mail has to wait. */
export type Spooling =
  | {
      readonly result: 'ready';
      readonly files: readonly AttachedFile[];
      /** Why files are missing, for the recipient. */
      readonly notes: readonly string[];
      /** Deletes the files. Can be called repeatedly. */
      readonly discard: () => Promise<void>;
    }
  | { readonly result: 'not_sent_retry'; readonly cause: string; readonly isKeyRefused?: boolean };

/** Bytes of all attachments of a mail: base64 adds 37 %, and large servers accept at least 25 MiB. */
const MAX_ATTACHED_BYTES = 18 * 1024 * 1024;

/** Time for all attachments of a mail: a stalled download would block a slot. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

const contentTypes: Readonly<Record<AttachedFormat, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown; charset=utf-8',
};

/** Errors that a retry cannot change: the mail is sent without the attachment. */
const permanentCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'bad_request',
  'not_found',
  'unreadable',
  'redirected',
  'conflict',
  'unexpected_status',
]);

/**
 * Downloads exports of a meeting into unlinked files, which disappear with the process. A file that is unavailable or too
 * large is left out with a note; temporary errors and a timeout of one minute give `not_sent_retry`.
 */
export async function spoolExports(
  service: Pick<ServiceActions, 'exports'> | undefined,
  meetingId: string,
  formats: readonly AttachedFormat[],
  { limit = MAX_ATTACHED_BYTES, start = startTimer, words = pickWords() }: SpoolTools = {},
): Promise<Spooling> {
  const kept: Spooled[] = [];
  const files: AttachedFile[] = [];
  const notes: string[] = [];
  const discard = async (): Promise<void> => {
    await Promise.all(kept.splice(0).map((spooled) => spooled.discard()));
  };
  if (formats.length === 0) return { result: 'ready', files, notes, discard };
  const ending = new AbortController();
  const callOff = start(DOWNLOAD_TIMEOUT_MS, () => ending.abort());
  let left = limit;
  try {
    for (const format of new Set(formats)) {
      const spooled = await spool(service, { meetingId, format }, { room: left, words }, ending.signal);
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
    const isKeyRefused = error instanceof ServiceError && error.code === 'unauthorized';
    return { result: 'not_sent_retry', cause, ...(isKeyRefused ? { isKeyRefused } : {}) };
  } finally {
    callOff();
  }
}

interface SpoolTools {
  /** Maximum bytes of all files together. */
  readonly limit?: number;
  readonly start?: StartTimer;
  readonly words?: Words;
}

type SpooledExport = { readonly spooled: Spooled; readonly file: AttachedFile } | { readonly note: string };

async function spool(
  service: Pick<ServiceActions, 'exports'> | undefined,
  order: { readonly meetingId: string; readonly format: AttachedFormat },
  { room, words }: { readonly room: number; readonly words: Words },
  signal: AbortSignal,
): Promise<SpooledExport> {
  const { format } = order;
  const name = format.toUpperCase();
  const missing = words.fileMissing(name);
  if (service === undefined) return { note: missing };
  try {
    const { stream, filename } = await service.exports.stream(order, { signal });
    const spooled = await spoolStream(addAbortSignal(signal, stream), room);
    if (spooled === undefined) return { note: words.fileTooLarge(name) };
    if (spooled.bytes === 0) {
      await spooled.discard();
      return { note: missing };
    }
    const { bytes } = spooled;
    const read = (): Readable => Readable.from(spooled.read());
    return { spooled, file: { filename, contentType: contentTypes[format], bytes, read } };
  } catch (error) {
    if (error instanceof ServiceError && permanentCodes.has(error.code)) return { note: missing };
    throw error;
  }
}

/** Contains codes only, never the answer of the service. */
function explain(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'the attachment cannot be stored on this machine now';
  const status = error.status === undefined ? '' : ` (${error.status})`;
  return `the attachment cannot be fetched now: ${error.code}${status}`;
}
