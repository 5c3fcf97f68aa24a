import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';

import { asFields, asText } from '../loose.ts';
import { readSystemFault } from '../system-fault.ts';
import { sourceChanged, toFileError } from './upload-errors.ts';

const BEAT_MS = 3000;
/** Five beats may be missed by a busy machine. */
const SILENT_MS = 15_000;
/** Creating a file and writing a hundred bytes into it takes far less. */
const WRITING_MS = 2000;
/** A process that was killed during a takeover holds it no longer than this. */
const MAX_TAKEOVER_MS = 15_000;

/**
 * Keeps two processes from uploading the same file at once: both would send every chunk, and the later one would ask
 * for a second meeting. The lock of a process that was killed is taken over: at once if it can be seen that the process
 * is gone, else after 15 s without a sign of it. Throws `conflict` while the lock is held. Returns the release.
 */
export async function takeLock(path: string, clock: () => number): Promise<() => Promise<void>> {
  const self = await nameOwner();
  const text = JSON.stringify(self);
  if (!(await createLock(path, text)) && !(await takeOver(path, self, text, clock()))) {
    throw sourceChanged(
      `another process is uploading this file; if none is, try again in ${SILENT_MS / 1000} s`,
    );
  }
  const beat = async (): Promise<void> => {
    // A process that was taken for dead leaves the lock of the next one alone.
    if ((await findLock(path))?.text !== text) return;
    await utimes(path, clock() / 1000, clock() / 1000).catch(() => {});
  };
  await beat();
  const beating = setInterval(() => void beat(), BEAT_MS).unref();
  return async () => {
    clearInterval(beating);
    await removeLock(path, text);
  };
}

async function takeOver(path: string, self: LockOwner, text: string, nowMs: number): Promise<boolean> {
  const found = await findLock(path);
  return (await isAbandoned(found, self, nowMs)) && replaceLock(path, found, text, nowMs);
}

async function isAbandoned(found: FoundLock | undefined, self: LockOwner, nowMs: number): Promise<boolean> {
  if (found === undefined) return true;
  const silentMs = nowMs - found.changedMs;
  if (silentMs > SILENT_MS) return true;
  if (found.text === undefined) return false;
  const owner = parseOwner(found.text);
  return owner === undefined ? silentMs > WRITING_MS : isOwnerDead(owner, self);
}

/**
 * Removes the lock that was found abandoned and creates one with this text; false if another process was quicker. One
 * process at a time does so, and looks again first: what it would remove may be the lock that another one has created
 * in the meantime.
 */
export async function replaceLock(
  path: string,
  found: FoundLock | undefined,
  text: string,
  nowMs: number,
): Promise<boolean> {
  const takeover = `${path}.takeover.tmp`;
  if (!(await createLock(takeover, text))) {
    const other = await findLock(takeover);
    if (other !== undefined && nowMs - other.changedMs > MAX_TAKEOVER_MS) await rm(takeover, { force: true });
    return false;
  }
  try {
    if (!isSameLock(found, await findLock(path))) return false;
    await rm(path, { force: true });
    // Between the two another process may create it.
    return await createLock(path, text);
  } finally {
    await removeLock(takeover, text);
  }
}

/** A lock as it was found. */
export interface FoundLock {
  /** Undefined if it may not be read. */
  readonly text: string | undefined;
  /** Unix milliseconds. */
  readonly changedMs: number;
  readonly inode: bigint;
}

/** False if there is one. Nothing remains of one that could not be written. */
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
    if (readSystemFault(error).systemCode === 'EEXIST') return false;
    throw toFileError('the state folder cannot be written', error);
  }
}

export async function findLock(path: string): Promise<FoundLock | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  if (stats === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return { text, changedMs: Number(stats.mtimeMs), inode: stats.ino };
}

function isSameLock(one: FoundLock | undefined, other: FoundLock | undefined): boolean {
  return one?.inode === other?.inode && one?.changedMs === other?.changedMs && one?.text === other?.text;
}

async function removeLock(path: string, text: string): Promise<void> {
  if ((await findLock(path))?.text === text) await rm(path, { force: true }).catch(() => {});
}

/** The holder of a lock. A process id alone is not enough: in a container every process has the same. */
interface LockOwner {
  readonly pid: number;
  readonly host: string;
  readonly bornMs: number;
  /** If the system tells; see `ProcessState`. */
  readonly started?: string;
}

async function nameOwner(): Promise<LockOwner> {
  const started = (await readProcess('self'))?.started;
  return {
    pid: process.pid,
    host: hostname(),
    bornMs: performance.timeOrigin,
    ...(started === undefined ? {} : { started }),
  };
}

/** Undefined if the text names no owner. */
function parseOwner(text: string): LockOwner | undefined {
  const { pid, host, bornMs, started } = parseFields(text);
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof bornMs !== 'number') return undefined;
  const since = asText(started);
  return { pid, host, bornMs, ...(since === undefined ? {} : { started: since }) };
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return asFields(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

/** Whether it can be seen from here that the owner is dead. */
async function isOwnerDead(owner: LockOwner, self: LockOwner): Promise<boolean> {
  if (owner.host !== self.host) return false;
  const state = await readProcess(owner.pid);
  if (state?.isDead === true) return true;
  if (state !== undefined && owner.started !== undefined) return state.started !== owner.started;
  return owner.pid === self.pid ? owner.bornMs !== self.bornMs : !answersSignals(owner.pid);
}

interface ProcessState {
  /** Dead, also if its parent has not collected it yet (`zombie`). */
  readonly isDead: boolean;
  /** In clock ticks since the machine started: distinguishes it from a later process with the same id. */
  readonly started: string;
}

/** What Linux tells of a process; undefined on other systems, and for a process that is absent or hidden. */
async function readProcess(pid: number | 'self'): Promise<ProcessState | undefined> {
  return parseStat(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''));
}

/** The line of `/proc/<pid>/stat` (proc_pid_stat(5)). The second field is a name, and may hold anything. */
export function parseStat(text: string): ProcessState | undefined {
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(' ');
  // Fields 3 and 22.
  const [state, started] = [fields[0], fields[19]];
  if (state === undefined || started === undefined) return undefined;
  return { isDead: 'ZXx'.includes(state), started };
}

/** A dead process that its parent has not collected answers too. */
function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, but it exists.
    return readSystemFault(error).systemCode !== 'ESRCH';
  }
}
