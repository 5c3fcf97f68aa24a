import type { Hash } from 'node:crypto';

import type { ChunkBuffer, PlannedChunk } from './chunk-format.ts';
import { throwIfAborted } from './upload-errors.ts';
import type { UploadFile } from './upload-file.ts';

export interface ChunkRun {
  readonly file: Pick<UploadFile, 'fill'>;
  readonly chunks: readonly PlannedChunk[];
  /** At least one; as many chunks are in flight at a time. */
  readonly buffers: readonly ChunkBuffer[];
  /** Gets every byte of the file, in order. Without it (in benchmarks) nothing is hashed, and every digest is ''. */
  readonly hash?: Hash;
  /** Lets what else is under way go on; called after each MiB that was hashed. */
  readonly giveWay: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  /** Chunks for which this is false are read and hashed, and not sent. */
  readonly isWanted: (chunk: PlannedChunk) => boolean;
  /** Sends what stands in the buffer, which is not touched until that has settled. */
  readonly send: (chunk: PlannedChunk, buffer: ChunkBuffer, signal: AbortSignal) => Promise<void>;
  /** The digest is of the file from its beginning to the chunk's end. */
  readonly onSent: (chunk: PlannedChunk, digest: string) => Promise<void>;
  readonly onSkipped: (chunk: PlannedChunk, digest: string) => void;
}

/**
 * Reads a file once, from its beginning to its end, and sends its chunks. A chunk is hashed while it is being sent. The
 * first failure stops everything that is in flight and is thrown when that has stopped.
 */
export async function sendChunks(run: ChunkRun): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const free = [...run.buffers];
  const inFlight = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stop.abort();
  };
  const onAbort = (): void => {
    try {
      throwIfAborted(run.signal);
    } catch (error) {
      fail(error);
    }
  };

  const takeBuffer = async (): Promise<ChunkBuffer> => {
    while (free.length === 0 && inFlight.size > 0) await Promise.race(inFlight);
    throwIfAborted(signal);
    const buffer = free.pop();
    if (buffer === undefined) throw new RangeError('chunks need at least one buffer');
    return buffer;
  };
  const handle = async (chunk: PlannedChunk): Promise<void> => {
    const buffer = await takeBuffer();
    const data = buffer.data(chunk.length);
    await run.file.fill(data, chunk.offset, signal);
    throwIfAborted(signal);
    const sending = run.isWanted(chunk) ? run.send(chunk, buffer, signal) : undefined;
    // Now, not when the hash is ready: until then the failure would be unhandled.
    sending?.catch(fail);
    const digest = await digestUpTo(run, data);
    if (sending === undefined) {
      run.onSkipped(chunk, digest);
      free.push(buffer);
      return;
    }
    const settled: Promise<void> = sending
      .then(() => run.onSent(chunk, digest))
      .then(() => void free.push(buffer), fail)
      .finally(() => inFlight.delete(settled));
    inFlight.add(settled);
  };

  run.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    throwIfAborted(run.signal);
    for (const chunk of run.chunks) await handle(chunk);
  } catch (error) {
    fail(error);
  }
  await Promise.all(inFlight);
  run.signal?.removeEventListener('abort', onAbort);
  if (failures.length > 0) throw failures[0];
}

const TURN_BYTES = 1024 ** 2;

/** A MiB at a time, so that a chunk that is being sent meanwhile goes on being sent. */
async function digestUpTo(
  { hash, giveWay }: Pick<ChunkRun, 'hash' | 'giveWay'>,
  data: Uint8Array,
): Promise<string> {
  if (hash === undefined) return '';
  for (let at = 0; at < data.length; at += TURN_BYTES) {
    hash.update(data.subarray(at, at + TURN_BYTES));
    await giveWay();
  }
  return hash.copy().digest('hex');
}
