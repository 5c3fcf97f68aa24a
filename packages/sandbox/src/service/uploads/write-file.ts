import { open, type FileHandle } from 'node:fs/promises';

import { createMemoryRelease } from './release-memory.ts';

/** A call costs about as much as writing 64 KiB does, which is what comes in at once. */
const writtenAtOnce = 1024 * 1024;
/** What may wait while others are being written. */
const mostWaiting = 2 * writtenAtOnce;
/** Senders may cut their bytes as small as they like. */
const mostPieces = 512;

export interface FileWriter {
  /** Takes bytes over: their memory is gone once they are written. False: nothing more should come until `onDrain`. */
  readonly write: (piece: Uint8Array) => boolean;
  /** Resolves when everything is in the file; rejects with the system's error. */
  readonly end: () => Promise<void>;
  /** Resolves when nothing writes to the file any more; it may be there or not. */
  readonly abort: () => Promise<void>;
}

export interface FileWriterSettings {
  readonly onDrain: () => void;
  /** The system's error; nothing more is written. */
  readonly onFault: (error: unknown) => void;
}

/** Writes a new file, for this user only, in few large pieces. */
export function createFileWriter(path: string, { onDrain, onFault }: FileWriterSettings): FileWriter {
  const release = createMemoryRelease();
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let state: 'open' | 'ending' | 'aborted' = 'open';
  let wake: (() => void) | undefined;

  const isAborted = (): boolean => state === 'aborted';
  const isFull = (): boolean => bytes >= mostWaiting || pieces.length >= 2 * mostPieces;

  async function work(): Promise<void> {
    const file = await open(path, 'wx', 0o600);
    try {
      while (!isAborted()) {
        if (bytes >= writtenAtOnce || pieces.length >= mostPieces || state === 'ending') {
          if (pieces.length === 0) return;
          const wasFull = isFull();
          const batch = pieces;
          pieces = [];
          bytes = 0;
          if (wasFull) onDrain();
          await writeAll(file, batch);
          for (const piece of batch) release(piece);
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      await file.close();
    }
  }

  const working = work();
  working.catch(onFault);
  return {
    write(piece) {
      if (state !== 'open') return true;
      pieces.push(piece);
      bytes += piece.length;
      wake?.();
      return !isFull();
    },
    end() {
      state = 'ending';
      wake?.();
      return working;
    },
    async abort() {
      state = 'aborted';
      wake?.();
      await working.catch(() => {});
    },
  };
}

/** The system may write less than it was given, such as when the disk is full: the next call says why. */
async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  const wanted = pieces.reduce((sum, { length }) => sum + length, 0);
  let { bytesWritten: done } = await file.writev(pieces);
  if (done === wanted) return;
  const whole = Buffer.concat(pieces);
  while (done < wanted) done += (await file.write(whole, done)).bytesWritten;
}
