import { Readable } from 'node:stream';

import { untilAborted } from './until-aborted.ts';
import { describeSystemFault, refuseUpload } from './upload-fault.ts';

/** Takes a stream's bytes in pieces of whatever length is asked for. */
export interface ByteReader {
  /** Up to `into.length` bytes; fewer only at the end of the stream. */
  read(into: Uint8Array, signal?: AbortSignal): Promise<number>;
  /** Tells the stream that nobody reads on. Does not wait for it. */
  stop(): void;
}

/** Nothing is read before the first `read`. */
export function createByteReader(stream: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  let hasEnded = false;

  const fetchRest = async (signal: AbortSignal | undefined): Promise<void> => {
    const next = await untilAborted(takeNext(iterator), signal);
    if (next === undefined) hasEnded = true;
    else rest = next;
  };
  return {
    async read(into, signal) {
      let filled = 0;
      while (filled < into.length) {
        if (rest.length === 0 && !hasEnded) await fetchRest(signal);
        if (hasEnded) break;
        const piece = rest.subarray(0, into.length - filled);
        into.set(piece, filled);
        filled += piece.length;
        rest = rest.subarray(piece.length);
      }
      return filled;
    },
    stop() {
      // The iterator of a Readable waits for the read that is under way, which may never end.
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
    throw refuseUpload(`the stream failed: ${describeSystemFault(error)}`);
  }
  if (result.done === true) return undefined;
  if (result.value instanceof Uint8Array) return result.value;
  throw refuseUpload('the stream must consist of bytes (Uint8Array or Buffer)');
}
