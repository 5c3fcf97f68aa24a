import { ServiceError } from '@aftermeet/client/pure';

import type { FileStream } from '../../transport/file-stream.ts';

export interface FileLimits {
  /** What stands in errors. */
  readonly doing: string;
  readonly maxBytes: number;
  /** As the service says it; undefined where it does not. */
  readonly totalBytes: number | undefined;
}

export interface LimitedFile {
  /** The same bytes; fails with the first one that is too many. */
  readonly stream: FileStream;
  /** What went wrong on the way from the service; undefined for a fault of whoever reads the stream. */
  readonly findFault: () => unknown;
}

/**
 * Counts what comes, after it was unpacked: n8n has no limit of its own, and a body that never ends, or a small one that unpacks
 * into a large one, would fill its disk or its memory. Too much is `unreadable`, and ends the reading of the source.
 */
export function limitFile(source: FileStream, { doing, maxBytes, totalBytes = 0 }: FileLimits): LimitedFile {
  let size = 0;
  let fault: unknown;
  const stream = source.map((piece: unknown) => {
    if (!(piece instanceof Uint8Array)) throw new TypeError('the answer is not made of bytes');
    size += piece.length;
    if (Math.max(size, totalBytes) <= maxBytes) return piece;
    const detail = `the file has more than the ${maxBytes} bytes that an export may have`;
    fault ??= new ServiceError({ code: 'unreadable', doing, status: 200, detail });
    throw fault;
  });
  source.on('error', (error: unknown) => {
    fault ??= error;
  });
  // Whoever reads the stream is told of the fault; when nobody does just then, it must not end n8n.
  stream.on('error', () => {});
  return { stream, findFault: () => fault ?? source.errored ?? undefined };
}
