import type { ServiceError } from '@aftermeet/client/pure';

/** Takes the bytes of a stream in pieces of whatever length is asked for. */
export interface PieceReader {
  /** Up to `into.length` bytes; fewer only at the end. */
  take(into: Uint8Array): Promise<number>;
}

export interface ReaderOptions {
  /** Told of every byte that was taken, in order, a piece at a time. */
  readonly onTaken: (piece: Uint8Array) => void;
  /** What a fault of the stream means. */
  readonly explain: (error: unknown) => ServiceError;
}

/** Nothing is read before the first `take`. */
export function createPieceReader(
  pieces: AsyncIterable<unknown>,
  { onTaken, explain }: ReaderOptions,
): PieceReader {
  const iterator = pieces[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  let hasEnded = false;

  async function fetchRest(): Promise<void> {
    try {
      const { done = false, value } = await iterator.next();
      hasEnded = done;
      if (done) return;
      if (!(value instanceof Uint8Array)) throw new TypeError('a piece is not made of bytes');
      rest = value;
    } catch (error) {
      throw explain(error);
    }
  }

  return {
    async take(into) {
      let filled = 0;
      while (filled < into.length) {
        if (rest.length === 0 && !hasEnded) await fetchRest();
        if (hasEnded) break;
        const piece = rest.subarray(0, into.length - filled);
        into.set(piece, filled);
        onTaken(piece);
        filled += piece.length;
        rest = rest.subarray(piece.length);
      }
      return filled;
    },
  };
}
