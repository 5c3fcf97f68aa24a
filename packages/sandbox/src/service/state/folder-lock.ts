import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

import { DataFolderError, describeDiskFault } from './data-folder-error.ts';
import { judgeOwner, nameOwner, readOwner } from './lock-owner.ts';

const beatMs = 3000;
/** Five beats may be missed, by a machine that has other things to do. */
const silentMs = 15_000;

export interface FolderLock {
  /** False once another process was seen to have taken it. */
  readonly isHeld: () => boolean;
  /** Looks whether it is held, and shows that its owner is there. */
  readonly look: () => boolean;
  readonly release: () => void;
}

/**
 * Keeps two processes from writing the same folder. The lock of a process that was killed is taken over: at once
 * where it can be seen that it is gone, else when it has not been heard of for 15 s. Throws `DataFolderError` while
 * it is held. `nowMs` is the machine's time.
 */
export function takeFolderLock(path: string, nowMs: () => number): FolderLock {
  const self = nameOwner();
  const text = JSON.stringify(self);
  if (!makeFile(path, text)) takeOver(path, text, nowMs());
  let isHeld = true;
  const look = (): boolean => {
    // Who was taken for dead leaves the lock of the next one alone.
    isHeld &&= readText(path) === text;
    if (isHeld) touch(path, nowMs() / 1000);
    return isHeld;
  };
  look();
  const beating = setInterval(look, beatMs).unref();
  return {
    isHeld: () => isHeld,
    look,
    release() {
      clearInterval(beating);
      if (readText(path) === text) rmSync(path, { force: true });
    },
  };
}

/** One at a time does so, and looks again when it is its turn: the lock may be the one that another has just made. */
function takeOver(path: string, text: string, nowMs: number): void {
  const turn = `${path}.takeover`;
  if (readSilence(turn, nowMs) > silentMs) rmSync(turn, { force: true });
  if (!makeFile(turn, text)) throw describeHolder(path);
  try {
    if (!isAbandoned(path, nowMs)) throw describeHolder(path);
    rmSync(path, { force: true });
    if (!makeFile(path, text)) throw describeHolder(path);
  } finally {
    rmSync(turn, { force: true });
  }
}

function isAbandoned(path: string, nowMs: number): boolean {
  const text = readText(path);
  if (text === undefined) return true;
  const owner = readOwner(text);
  const state = owner === undefined ? 'unsure' : judgeOwner(owner, nameOwner());
  return state === 'dead' || (state === 'unsure' && readSilence(path, nowMs) > silentMs);
}

function describeHolder(path: string): DataFolderError {
  const pid = readOwner(readText(path) ?? '')?.pid;
  const process = pid === undefined ? 'Another process' : `The process ${String(pid)}`;
  return new DataFolderError(
    `${path}: ${process} keeps its state in this folder. End it, name another folder, or try again in ${String(silentMs / 1000)} s if it is gone.`,
  );
}

/** False when there is one. */
function makeFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw describeDiskFault(path, 'written', error);
  }
}

function touch(path: string, seconds: number): void {
  try {
    utimesSync(path, seconds, seconds);
  } catch {
    // The next look tells whether it is gone.
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** For how long nobody has touched it; 0 when there is none. */
function readSilence(path: string, nowMs: number): number {
  const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changedMs === undefined ? 0 : nowMs - changedMs;
}
