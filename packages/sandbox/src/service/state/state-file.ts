import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import { describeDiskFault } from './data-folder-error.ts';
import { writeStateLines, type KeptState } from './kept-state.ts';
import { stateFileHead } from './read-state-file.ts';

/** A state file that is open for more lines. */
export interface StateFile {
  /** Of the snapshot that it began with. */
  readonly snapshotBytes: number;
  readonly bytes: () => number;
  /** The line is in the file when it returns: it survives the end of this process, however that comes. Throws `DataFolderError`; then nothing of it is there. */
  readonly append: (line: string) => void;
  readonly close: () => void;
}

const writtenAtOnce = 1024 * 1024;

/** Puts a new snapshot in the place of the file, whole or not at all. Throws `DataFolderError` when it cannot. */
export function replaceStateFile(path: string, state: KeptState): StateFile {
  const temporary = `${path}.tmp`;
  let file: number | undefined;
  try {
    file = openSync(temporary, 'w', 0o600);
    const snapshotBytes = writeLines(file, [stateFileHead, ...writeStateLines(state)]);
    fsyncSync(file);
    renameSync(temporary, path);
    syncFolder(dirname(path));
    return openForMore(path, file, snapshotBytes);
  } catch (error) {
    if (file !== undefined) {
      closeSync(file);
      rmSync(temporary, { force: true });
    }
    throw describeDiskFault(path, 'written', error);
  }
}

function openForMore(path: string, file: number, snapshotBytes: number): StateFile {
  let bytes = snapshotBytes;
  return {
    snapshotBytes,
    bytes: () => bytes,
    append(line) {
      const piece = Buffer.from(line);
      try {
        writeAll(file, piece, bytes);
      } catch (error) {
        takeBack(file, bytes);
        throw describeDiskFault(path, 'written', error);
      }
      bytes += piece.length;
    },
    close() {
      closeSync(file);
    },
  };
}

/** Returns how many bytes they are. */
function writeLines(file: number, lines: readonly string[]): number {
  let bytes = 0;
  let pending: string[] = [];
  let pendingLength = 0;
  const flush = (): void => {
    const piece = Buffer.from(pending.join(''));
    writeAll(file, piece, bytes);
    bytes += piece.length;
    pending = [];
    pendingLength = 0;
  };
  for (const line of lines) {
    pending.push(line);
    pendingLength += line.length;
    if (pendingLength >= writtenAtOnce) flush();
  }
  flush();
  return bytes;
}

/** One call may write less than it was given. */
function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

/** Half a line may not stay. Where even that fails, the next line is written over it, and a start leaves it out. */
function takeBack(file: number, bytes: number): void {
  try {
    ftruncateSync(file, bytes);
  } catch {}
}

/** Makes a rename last through a power cut, where the system can. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Windows opens no folders.
  }
}
