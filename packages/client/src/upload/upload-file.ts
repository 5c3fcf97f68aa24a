import { limits } from '@aftermeet/contract';

import { ServiceError } from '../errors.ts';
import { readSystemFault } from '../system-fault.ts';
import { refuseUpload, uploading } from './upload-errors.ts';

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

/** Throws `bad_request` for a size that cannot be uploaded. */
export function checkSize(size: number): void {
  const problem = findSizeProblem(size);
  if (problem !== undefined) throw refuseUpload(problem).with({ unsent: true });
}

function findSizeProblem(size: number): string | undefined {
  if (!Number.isSafeInteger(size) || size < 0) return 'size must be a whole number of bytes';
  if (size === 0) return 'the file is empty: a recording has at least one byte';
  if (size <= limits.uploadMaxBytes) return undefined;
  return `the file is too large: at most ${limits.uploadMaxBytes} bytes (3 GB) can be uploaded`;
}

/** A stream of a known size: it goes straight into the chunks. */
export function openStream(stream: AsyncIterable<unknown>, filename: string, size: number): UploadFile {
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
function createByteReader(stream: AsyncIterable<unknown>): ByteReader {
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
      if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
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
