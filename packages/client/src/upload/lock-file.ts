import { open, readFile, rm, stat, utimes } from 'node:fs/promises';

import { describeSystemFault, reportSystemFault } from './upload-fault.ts';

/** A lock as it was found. */
export interface FoundLock {
  /** Undefined where it may not be read. */
  readonly text: string | undefined;
  /** Unix milliseconds. */
  readonly changedMs: number;
  readonly inode: bigint;
}

/** False where there is one. Nothing stays of one that could not be written. */
export async function createLock(path: string, text: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(text);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (describeSystemFault(error) === 'EEXIST') return false;
    throw reportSystemFault('the state folder cannot be written', error);
  }
}

export async function findLock(path: string): Promise<FoundLock | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  if (stats === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return { text, changedMs: Number(stats.mtimeMs), inode: stats.ino };
}

export function isSameLock(one: FoundLock | undefined, other: FoundLock | undefined): boolean {
  return one?.inode === other?.inode && one?.changedMs === other?.changedMs && one?.text === other?.text;
}

/** Shows that the owner is there. Who was taken for dead leaves the lock of the next one alone. */
export async function beatLock(path: string, text: string, nowMs: number): Promise<void> {
  if ((await findLock(path))?.text !== text) return;
  await utimes(path, nowMs / 1000, nowMs / 1000).catch(() => {});
}

export async function removeLock(path: string, text: string): Promise<void> {
  if ((await findLock(path))?.text === text) await rm(path, { force: true }).catch(() => {});
}
