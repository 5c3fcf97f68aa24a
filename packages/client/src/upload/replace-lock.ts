import { rm } from 'node:fs/promises';

import { createLock, findLock, type FoundLock, isSameLock, removeLock } from './lock-file.ts';

/** A process that was killed at its turn may hold it no longer than this. */
const LONGEST_TURN_MS = 15_000;

/**
 * Removes the lock that was found abandoned and makes one with this text; false where another process was
 * quicker. One at a time does so, and looks again when it is its turn: what it would remove may be the lock that
 * another one has made in the meantime.
 */
export async function replaceLock(
  path: string,
  found: FoundLock | undefined,
  text: string,
  nowMs: number,
): Promise<boolean> {
  const turn = `${path}.takeover.tmp`;
  if (!(await createLock(turn, text))) {
    await endOldTurn(turn, nowMs);
    return false;
  }
  try {
    if (!isSameLock(found, await findLock(path))) return false;
    await rm(path, { force: true });
    // Between the two, one may come that has found none.
    return await createLock(path, text);
  } finally {
    await removeLock(turn, text);
  }
}

async function endOldTurn(turn: string, nowMs: number): Promise<void> {
  const found = await findLock(turn);
  if (found !== undefined && nowMs - found.changedMs > LONGEST_TURN_MS) await rm(turn, { force: true });
}
