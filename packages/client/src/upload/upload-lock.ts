import type { Connection } from '../send-request.ts';
import { beatLock, createLock, findLock, type FoundLock, removeLock } from './lock-file.ts';
import { isOwnerDead, type LockOwner, nameOwner, readOwner } from './lock-owner.ts';
import type { NoteFolder } from './note-folder.ts';
import { replaceLock } from './replace-lock.ts';
import { reportChange } from './upload-fault.ts';

const BEAT_MS = 3000;
/** Five beats may be missed, by a machine that has other things to do. */
const SILENT_MS = 15_000;
/** Between making a file and having written a hundred bytes into it lies next to nothing. */
const WRITING_MS = 2000;

/**
 * Keeps two processes from uploading the same file at once: both would send every chunk, and the later one
 * would ask for a second meeting. The lock of a process that was killed is taken over: at once where it can be
 * seen that it is gone, else when it has not been heard of for 15 s. Throws `conflict` while it is held.
 */
export async function takeLock(
  folder: NoteFolder,
  name: string,
  clock: Connection['clock'],
): Promise<() => Promise<void>> {
  const path = folder.pathOf(name);
  const self = await nameOwner();
  const text = JSON.stringify(self);
  if (!(await createLock(path, text))) await takeOver(path, self, clock());
  const beat = (): Promise<void> => beatLock(path, text, clock());
  await beat();
  const beating = setInterval(() => void beat(), BEAT_MS).unref();
  return async () => {
    clearInterval(beating);
    await removeLock(path, text);
  };
}

async function takeOver(path: string, self: LockOwner, nowMs: number): Promise<void> {
  const found = await findLock(path);
  const isFree = await isAbandoned(found, self, nowMs);
  if (!isFree || !(await replaceLock(path, found, JSON.stringify(self), nowMs))) throw reportHeld();
}

async function isAbandoned(found: FoundLock | undefined, self: LockOwner, nowMs: number): Promise<boolean> {
  if (found === undefined) return true;
  const silentMs = nowMs - found.changedMs;
  if (silentMs > SILENT_MS) return true;
  if (found.text === undefined) return false;
  const owner = readOwner(found.text);
  return owner === undefined ? silentMs > WRITING_MS : isOwnerDead(owner, self);
}

function reportHeld(): Error {
  return reportChange(
    `another process is uploading this file; if none is, try again in ${SILENT_MS / 1000} s`,
  );
}
