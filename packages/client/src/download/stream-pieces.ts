import { Readable } from 'node:stream';

import type { OpenedExport } from './open-export.ts';

/** The file as a stream that asks for a piece only when one is wanted. Destroying it ends the transfer at once. */
export function streamPieces({ first, rest }: OpenedExport): Readable {
  let isFirst = true;
  const nextPiece = async (): Promise<Uint8Array | undefined> => {
    if (!isFirst) return rest.next();
    isFirst = false;
    return first;
  };
  const pushNext = async (stream: Readable): Promise<void> => {
    try {
      stream.push((await nextPiece()) ?? null);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return new Readable({
    read() {
      void pushNext(this);
    },
    destroy(error, done) {
      rest.close();
      done(error);
    },
  });
}
