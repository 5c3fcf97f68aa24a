import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';

import { limits } from '@aftermeet/contract';

import type { UploadSource } from '../client.ts';
import { ServiceError } from '../errors.ts';
import { readSystemFault } from '../system-fault.ts';
import { refuseUpload, sourceChanged, toFileError, uploading } from './upload-errors.ts';

/** A source that has been opened: its size is known, and its bytes can be read. */
export interface UploadFile {
  readonly size: number;
  readonly filename: string;
  /** Bytes can be read a second time. Those of a stream are read once, in their order. */
  readonly rereadable: boolean;
  /** Of a file with a path: what distinguishes it from others, and from itself after a change. */
  readonly identity?: FileIdentity;
  /** Fills all of `into` with what stands at `offset`. Throws `conflict` if the file has changed. */
  fill(into: Uint8Array, offset: number, signal?: AbortSignal): Promise<void>;
  /** Up to `length` bytes from the beginning. Of a stream before the first `fill`, which still gets them. */
  peek(length: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** The same check without reading; to be made when everything has been read. */
  verify(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface FileIdentity {
  /** Absolute, without links. */
  readonly path: string;
  /** Nanoseconds since 1970, as digits. */
  readonly modified: string;
}

/** The name under which a source is uploaded. Refuses what is no source, for callers without types. */
export function nameSource(source: UploadSource): string {
  if (typeof source === 'object' && source !== null) {
    // A path without a name is refused as what it is, not for its name.
    if ('path' in source && typeof source.path === 'string') return basename(source.path) || 'file';
    if ('bytes' in source && source.bytes instanceof Uint8Array) return source.filename;
    if ('stream' in source && isStream(source.stream)) {
      if (source.size === undefined) {
        throw refuseUpload(
          'a stream needs its size: give size, or save the stream to a file and upload its path',
        );
      }
      return source.filename;
    }
  }
  throw refuseUpload(
    'the source must be { path }, { bytes, filename } with a Uint8Array, or { stream, filename, size } with an async iterable',
  );
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Opens a source that `nameSource` took. Throws `bad_request` for a size that cannot be uploaded. */
export async function openSource(source: UploadSource): Promise<UploadFile> {
  const file = await openAny(source);
  try {
    checkSize(file.size);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openAny(source: UploadSource): Promise<UploadFile> {
  if ('path' in source) return openPath(source.path);
  if ('bytes' in source) return openBytes(source.bytes, source.filename);
  return openStream(source.stream, source.filename, source.size);
}

function checkSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw refuseUpload('size must be a whole number of bytes');
  if (size === 0) throw refuseUpload('the file is empty: a recording has at least one byte');
  if (size > limits.uploadMaxBytes) {
    throw refuseUpload(
      `the file is too large: at most ${limits.uploadMaxBytes} bytes (3 GB) can be uploaded`,
    );
  }
}

function openBytes(bytes: Uint8Array, filename: string): UploadFile {
  return {
    size: bytes.length,
    filename,
    rereadable: true,
    fill: async (into, offset) => into.set(bytes.subarray(offset, offset + into.length)),
    peek: async (length) => bytes.subarray(0, length),
    verify: async () => {},
    close: async () => {},
  };
}

/** Opens a file that exists under a path. */
async function openPath(path: string): Promise<UploadFile> {
  // Before it is opened: opening a pipe would wait for its other end.
  refuseIrregular(await statPath(path));
  const [handle, absolute, first] = await openHandle(path);

  const verify = async (): Promise<void> => {
    const now = await statPath(path).catch(() => undefined);
    if (now === undefined) throw sourceChanged('the file was removed while it was being uploaded');
    if (now.ino !== first.ino || now.dev !== first.dev) {
      throw sourceChanged('the file was replaced while it was being uploaded');
    }
    // A writer can put the time of the content back, but not that of the change.
    if (now.size !== first.size || now.mtimeNs !== first.mtimeNs || now.ctimeNs !== first.ctimeNs) {
      throw sourceChanged(
        'the file changed while it was being uploaded: upload it again when it is finished',
      );
    }
  };
  return {
    size: Number(first.size),
    filename: basename(path),
    rereadable: true,
    identity: { path: absolute, modified: first.mtimeNs.toString() },
    async fill(into, offset) {
      await fillFromHandle(handle, into, offset);
      // After the read: a change before it shows.
      await verify();
    },
    async peek(length) {
      const head = new Uint8Array(Math.min(length, Number(first.size)));
      await fillFromHandle(handle, head, 0);
      return head;
    },
    verify,
    close: () => handle.close(),
  };
}

async function statPath(path: string): Promise<BigIntStats> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    throw toFileError('the file cannot be found', error);
  }
}

/** With the state of the file that was opened: the path may lead to another one by now. */
async function openHandle(path: string): Promise<readonly [FileHandle, string, BigIntStats]> {
  try {
    const absolute = await realpath(path);
    const handle = await open(absolute, 'r');
    try {
      const stats = await handle.stat({ bigint: true });
      refuseIrregular(stats);
      return [handle, absolute, stats];
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw toFileError('the file cannot be opened', error);
  }
}

function refuseIrregular(stats: BigIntStats): void {
  if (stats.isFile()) return;
  throw refuseUpload('the path must be that of a regular file (send anything else as a stream)');
}

/** A file that ends before `into` is full has become shorter. */
async function fillFromHandle(handle: FileHandle, into: Uint8Array, offset: number): Promise<void> {
  for (let filled = 0; filled < into.length;) {
    const rest = into.subarray(filled);
    const { bytesRead } = await handle.read(rest, 0, rest.length, offset + filled).catch((error: unknown) => {
      throw toFileError('the file cannot be read', error);
    });
    if (bytesRead === 0) throw sourceChanged('the file became shorter while it was being read');
    filled += bytesRead;
  }
}

/** A stream of a known size: it goes straight into the chunks. */
function openStream(stream: AsyncIterable<Uint8Array>, filename: string, size: number): UploadFile {
  const reader = createByteReader(stream);
  let taken = 0;
  return {
    size,
    filename,
    rereadable: false,
    async fill(into, _offset, signal) {
      const filled = await reader.read(into, signal);
      taken += filled;
      if (filled < into.length) {
        throw refuseUpload(`the stream ended after ${taken} bytes of the ${size} that were announced`);
      }
    },
    async peek(length, signal) {
      const head = new Uint8Array(length);
      const found = head.subarray(0, await reader.read(head, signal));
      reader.putBack(found);
      return found;
    },
    async verify(signal) {
      if ((await reader.read(new Uint8Array(1), signal)) > 0) {
        throw refuseUpload(`the stream is longer than the ${size} bytes that were announced`);
      }
    },
    close: async () => reader.stop(),
  };
}

interface ByteReader {
  /** Up to `into.length` bytes; fewer only at the end of the stream. */
  read(into: Uint8Array, signal?: AbortSignal): Promise<number>;
  /** What `read` has given, to be read again. */
  putBack(bytes: Uint8Array): void;
  /** Ends the stream without waiting for it. */
  stop(): void;
}

/** Nothing is read before the first `read`. */
function createByteReader(stream: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  /** What comes after `rest`, before the stream goes on. */
  const later: Uint8Array[] = [];
  let hasEnded = false;
  return {
    async read(into, signal) {
      let filled = 0;
      while (filled < into.length) {
        if (rest.length === 0) rest = later.shift() ?? rest;
        if (rest.length === 0 && !hasEnded) {
          const next = await untilAborted(takeNext(iterator), signal);
          if (next === undefined) hasEnded = true;
          else rest = next;
        }
        if (rest.length === 0 && hasEnded) break;
        const piece = rest.subarray(0, into.length - filled);
        into.set(piece, filled);
        filled += piece.length;
        rest = rest.subarray(piece.length);
      }
      return filled;
    },
    putBack(bytes) {
      if (rest.length > 0) later.unshift(rest);
      rest = bytes;
    },
    stop() {
      // The iterator of a Readable waits for the pending read, which may never end.
      if (stream instanceof Readable) stream.destroy();
      else if (!hasEnded) iterator.return?.().catch(() => {});
    },
  };
}

async function takeNext(iterator: AsyncIterator<unknown>): Promise<Uint8Array | undefined> {
  let result: IteratorResult<unknown>;
  try {
    result = await iterator.next();
  } catch (error) {
    throw refuseUpload(`the stream failed: ${readSystemFault(error).systemCode}`);
  }
  if (result.done === true) return undefined;
  if (result.value instanceof Uint8Array) return result.value;
  throw refuseUpload('the stream must consist of bytes (Uint8Array or Buffer)');
}

/** The promise, or `aborted` as soon as the signal is: a stream cannot be told to stop waiting. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new ServiceError({ code: 'aborted', operation: uploading }));
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}
