import type { OpenedAnswer } from '../open-answer.ts';
import { ServiceError } from '../service-error.ts';

/** The body of an answer, piece by piece. */
export interface PieceReader {
  /** Where the service says it and nothing was compressed on the way. */
  readonly totalBytes: number | undefined;
  /**
   * The next piece, never an empty one; undefined at the end. Throws `ServiceError`: `timeout` when none comes
   * in time, `connection` when the body ends before it was complete.
   */
  next(): Promise<Uint8Array | undefined>;
  /** Gives the rest up. To be called at the end too. */
  close(): void;
}

export function createPieceReader(opened: OpenedAnswer, doing: string): PieceReader {
  const { response, watch, explain } = opened;
  const totalBytes = readLength(response.headers);
  const reader = response.body?.getReader();
  let received = 0;

  const readPiece = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      const read = await reader?.read();
      const piece: unknown = read?.value;
      if (!(piece instanceof Uint8Array)) return undefined;
      if (piece.length > 0) return piece;
    }
  };

  return {
    totalBytes,
    async next() {
      watch.restart();
      try {
        const piece = await readPiece();
        received += piece?.length ?? 0;
        if (piece !== undefined || totalBytes === undefined || received === totalBytes) return piece;
      } catch (error) {
        throw explain(error);
      } finally {
        // From here on the caller is the slow one.
        watch.pause();
      }
      const detail = `the file broke off after ${received} of ${totalBytes} bytes`;
      throw new ServiceError({ code: 'connection', doing, detail });
    },
    close: () => watch.stop(),
  };
}

/** Of a body that was compressed on the way the length counts the compressed bytes. */
function readLength(headers: Headers): number | undefined {
  const encoding = headers.get('content-encoding') ?? 'identity';
  const length = headers.get('content-length');
  if (encoding.trim().toLowerCase() !== 'identity' || length === null || !/^\d{1,15}$/.test(length)) {
    return undefined;
  }
  return Number(length);
}
