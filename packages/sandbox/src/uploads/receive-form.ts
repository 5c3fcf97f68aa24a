import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';

import { limits } from '@aftermeet/contract';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';

import type { ClaimedFile } from './upload-folder.ts';

/** A file part on disk. */
export interface ReceivedFile {
  readonly path: string;
  /** Of a part that is longer than a chunk may be, one byte more than that. */
  readonly bytes: number;
  /** Otherwise the file is removed with the form. */
  readonly keep: () => void;
}

export interface ReceivedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: ReceivedFile;
  /** Removes the file, unless it was kept. */
  readonly discard: () => Promise<void>;
}

/** `reset`: the sandbox was reset. `storage`: the disk refused the bytes. `request`: the form is wrong or incomplete. */
interface FormFault {
  readonly ok: false;
  readonly cause: 'request' | 'reset' | 'storage';
  readonly message: string;
}

export type FormResult = { readonly ok: true; readonly form: ReceivedForm } | FormFault;

/** Room for every field of the contract, and for some unknown ones. */
const formLimits = {
  fileSize: limits.uploadChunkBytes,
  fieldSize: 65_536,
  fields: 100,
  files: 1,
  parts: 101,
};

/** A write of the system costs about as much as 64 KiB, which is what comes in at once. */
const WRITE_BUFFER_BYTES = 1024 * 1024;

/**
 * Receives a multipart form with one file part, named `file`, which is written to the claimed file as it comes: memory
 * stays flat. After a fault, nothing is left there. The request is read to its end in any case, so that its sender gets
 * the answer.
 */
export async function receiveForm(request: IncomingMessage, claim: () => ClaimedFile): Promise<FormResult> {
  const parser = createParser(request);
  if (parser === undefined) {
    request.resume();
    return toFault('request', 'The request must be multipart/form-data with a boundary.');
  }
  let claimed: ClaimedFile;
  try {
    claimed = claim();
  } catch (error) {
    request.resume();
    return toStorageFault(error);
  }
  const { path } = claimed;
  const parsed = await parseForm(request, parser, claimed);
  if (!parsed.ok) {
    await rm(path, { force: true });
    return parsed;
  }
  let isClaimed = false;
  const keep = (): void => {
    isClaimed = true;
  };
  return {
    ok: true,
    form: {
      fields: parsed.fields,
      file: { path, bytes: parsed.isTruncated ? limits.uploadChunkBytes + 1 : parsed.bytes, keep },
      async discard() {
        if (!isClaimed) await rm(path, { force: true });
      },
    },
  };
}

function createParser(request: IncomingMessage): BusboyInstance | undefined {
  const contentType = request.headers['content-type'] ?? '';
  // The parser would take a urlencoded form as well.
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  try {
    return new Busboy({ headers: { ...request.headers, 'content-type': contentType }, limits: formLimits });
  } catch {
    // The boundary is missing.
    return undefined;
  }
}

interface ParsedForm {
  readonly ok: true;
  readonly fields: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** The file part was longer than a chunk may be, and only so much of it was written. */
  readonly isTruncated: boolean;
}

/** Resolves when nothing is written any more. */
async function parseForm(
  request: IncomingMessage,
  parser: BusboyInstance,
  { path, signal }: ClaimedFile,
): Promise<ParsedForm | FormFault> {
  const fields = new Map<string, string>();
  let problem: string | undefined;
  let file: BusboyFileStream | undefined;
  let target: WriteStream | undefined;
  let storageError: unknown;
  let stop: (() => void) | undefined;
  parser.on('field', (name, value, _nameIsCut, valueIsCut) => {
    if (fields.has(name)) problem ??= `${name} must be in the form once.`;
    if (valueIsCut) problem ??= `${name} is too long.`;
    fields.set(name, value);
  });
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(event, () => {
      problem ??= 'The form must hold one file part and the fields of the operation, and no more.';
    });
  }
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('file', (name, stream) => {
        // The parser emits errors on the stream even when nothing reads it any more.
        stream.on('error', reject);
        if (name !== 'file') {
          problem ??= 'The file part must be named file.';
          stream.resume();
          return;
        }
        file = stream;
        target = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WRITE_BUFFER_BYTES });
        target.on('error', (error) => {
          storageError ??= error;
          reject(error);
        });
        stream.pipe(target);
      });
      parser.on('error', reject).on('finish', resolve);
      request.on('error', reject);
      stop = () => reject(new Error('The sandbox was reset.'));
      signal.addEventListener('abort', stop);
      // Not `pipeline`: it would end the connection of a wrong form, and the sender would get no answer.
      request.pipe(parser);
      if (request.destroyed || signal.aborted) reject(new Error('The request has ended.'));
    });
    if (target !== undefined) await finished(target);
  } catch {
    problem ??= 'The form is incomplete or not a multipart form.';
    request.unpipe(parser).resume();
    file?.unpipe().resume();
    await closeFile(target);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
  if (signal.aborted) return toFault('reset', 'The sandbox was reset while the file was uploaded.');
  if (storageError !== undefined) return toStorageFault(storageError);
  if (file === undefined) problem ??= 'The form must hold a file part named file, with a file name.';
  if (problem !== undefined || file === undefined) return toFault('request', problem ?? '');
  const { bytesRead: bytes, truncated: isTruncated } = file;
  return { ok: true, fields: Object.fromEntries(fields), bytes, isTruncated };
}

async function closeFile(target: WriteStream | undefined): Promise<void> {
  if (target === undefined || target.closed) return;
  await new Promise<void>((resolve) => {
    target.once('close', () => resolve()).destroy();
  });
}

function toFault(cause: FormFault['cause'], message: string): FormFault {
  return { ok: false, cause, message };
}

/** Names the code of the system, such as ENOSPC: its message would name the path. */
function toStorageFault(error: unknown): FormFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
  return toFault('storage', `The file can't be stored: ${code}.`);
}
