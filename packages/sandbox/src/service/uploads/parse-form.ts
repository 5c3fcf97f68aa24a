import type { IncomingMessage } from 'node:http';

import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';

import type { ClaimedPlace } from './upload-folder.ts';
import { createFileWriter, type FileWriter } from './write-file.ts';

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

const resetFault: FormFault = {
  ok: false,
  cause: 'reset',
  message: 'The sandbox was reset while the file came in.',
};

/** Sends the request through the parser and its file part to the place. Resolves when nothing writes there any more. */
export function parseForm(
  request: IncomingMessage,
  parser: BusboyInstance,
  { path, signal }: ClaimedPlace,
): Promise<ParsedForm | FormFault> {
  const fields = new Map<string, string>();
  let complaint: string | undefined;
  let part: BusboyFileStream | undefined;
  let writer: FileWriter | undefined;

  return new Promise((resolve) => {
    let isOver = false;
    // Not a pipe: the parser takes every piece at once, because its streams flow, and a pipe would stop and start
    // the request for each of them. What waits then lives long enough to slow the collector down.
    const parse = (piece: Buffer): void => {
      parser.write(piece);
    };
    const fail = (fault: FormFault): void => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener('abort', reset);
      // The rest is read, so that the sender hears the answer.
      request.off('data', parse).resume();
      void Promise.resolve(writer?.abort()).then(() => {
        resolve(fault);
      });
    };
    const reset = (): void => {
      fail(resetFault);
    };
    const finish = (): void => {
      if (isOver) return;
      if (part === undefined) complaint ??= 'The form must hold a file part named file, with a file name.';
      if (complaint !== undefined || part === undefined || writer === undefined) {
        fail({ ok: false, cause: 'request', message: complaint ?? '' });
        return;
      }
      const { bytesRead: bytes, truncated: isTruncated } = part;
      writer.end().then(
        () => {
          if (isOver) return;
          isOver = true;
          signal.removeEventListener('abort', reset);
          resolve({ ok: true, fields: Object.fromEntries(fields), bytes, isTruncated });
        },
        () => {},
      );
    };
    const write = (stream: BusboyFileStream): void => {
      const file = createFileWriter(path, {
        onDrain() {
          request.resume();
        },
        onFault(error) {
          fail(describeStorageFault(error));
        },
      });
      writer = file;
      stream.on('data', (piece: Buffer) => {
        if (!file.write(piece)) request.pause();
      });
    };

    parser.on('field', (name, value, _nameIsCut, valueIsCut) => {
      if (fields.has(name)) complaint ??= `${name} must stand in the form once.`;
      if (valueIsCut) complaint ??= `${name} is too long.`;
      fields.set(name, value);
    });
    parser.on('file', (name, stream) => {
      // The parser emits errors on the stream even when it is done with: unheard, they would end the process.
      stream.on('error', () => {});
      if (name === 'file') {
        part = stream;
        write(stream);
        return;
      }
      complaint ??= 'The file part must be named file.';
      stream.resume();
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
    request.on('error', breakOff);
    signal.addEventListener('abort', reset);
    request.on('data', parse);
    request.once('end', () => {
      parser.end();
    });
    // Who goes away before anybody listens is not heard of again.
    if (request.destroyed) breakOff();
  });
}

/** Names the fault by the system's code, such as ENOSPC: its message would name the path. */
export function describeStorageFault(error: unknown): FormFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
  return { ok: false, cause: 'storage', message: `The file can't be stored: ${code}.` };
}
