import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';

import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';

import type { ClaimedPlace } from './scratch-folder.ts';

/** `reset`: the sandbox took the place away. `storage`: the disk refused the bytes. `request`: the form is wrong, or its sender went away. */
export interface FormFault {
  readonly ok: false;
  readonly cause: 'request' | 'reset' | 'storage';
  readonly message: string;
}

export interface ParsedForm {
  readonly ok: true;
  readonly fields: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** The file part was longer than the parser's limit, and only so much of it was written. */
  readonly isTruncated: boolean;
}

export const resetFault: FormFault = {
  ok: false,
  cause: 'reset',
  message: 'The sandbox was reset while the file came in.',
};

const ignore = (): void => {};

/** Pipes the request through the parser and its file part to the place. Resolves when nothing writes there any more. */
export function parseForm(
  request: IncomingMessage,
  parser: BusboyInstance,
  { path, signal }: ClaimedPlace,
): Promise<ParsedForm | FormFault> {
  const fields = new Map<string, string>();
  let complaint: string | undefined;
  let part: BusboyFileStream | undefined;
  let writing = Promise.resolve();

  return new Promise((resolve) => {
    let isOver = false;
    const fail = (fault: FormFault): void => {
      if (isOver) return;
      isOver = true;
      // The parser itself leaves an open file stream waiting for ever when the connection breaks.
      part?.destroy();
      void writing.catch(ignore).then(() => {
        resolve(fault);
      });
    };
    const finish = (): void => {
      if (isOver) return;
      if (part === undefined) complaint ??= 'The form must hold a file part named file, with a file name.';
      if (complaint !== undefined || part === undefined) {
        fail({ ok: false, cause: 'request', message: complaint ?? '' });
        return;
      }
      const { bytesRead: bytes, truncated: isTruncated } = part;
      void writing.then(() => {
        resolve({ ok: true, fields: Object.fromEntries(fields), bytes, isTruncated });
      }, ignore);
    };

    parser.on('field', (name, value, _nameIsCut, valueIsCut) => {
      if (fields.has(name)) complaint ??= `${name} must stand in the form once.`;
      if (valueIsCut) complaint ??= `${name} is too long.`;
      fields.set(name, value);
    });
    parser.on('file', (name, stream) => {
      // The parser emits errors on the stream even when it is done with: unheard, they would end the process.
      stream.on('error', ignore);
      if (name !== 'file') {
        complaint ??= 'The file part must be named file.';
        stream.resume();
        return;
      }
      part = stream;
      writing = pipeline(stream, createWriteStream(path), { signal });
      writing.catch((error: unknown) => {
        if (signal.aborted) fail(resetFault);
        else fail(describeStorageFault(error));
      });
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(event, () => {
        complaint ??= 'The form must hold one file part and the fields of the operation, and no more.';
      });
    }
    parser.on('finish', finish);
    const breakOff = (): void => {
      fail({ ok: false, cause: 'request', message: 'The form is broken off or is no multipart form.' });
    };
    parser.on('error', breakOff);
    request.once('error', breakOff);
    // Who goes away before anybody listens is not heard of again.
    if (request.destroyed) breakOff();
    else request.pipe(parser);
  });
}

/** Names the fault by the system's code, such as ENOSPC: its message would name the path. */
export function describeStorageFault(error: unknown): FormFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
  return { ok: false, cause: 'storage', message: `The file can't be stored: ${code}.` };
}
