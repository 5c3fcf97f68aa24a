import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** The main process of the PostgreSQL whose data folder this is; `undefined` when none runs. */
export function findPostmaster(data: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

/** Sends a signal to a process and to all its children (Linux): a stopped parent alone stops nothing. */
export function signalFamily(parent: number, signal: NodeJS.Signals): void {
  process.kill(parent, signal);
  for (const pid of findChildren(parent)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended.
    }
  }
}

/** The processes that work in a folder, as all of a PostgreSQL do in its data folder (Linux). */
export function findProcessesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readFolder(name) === folder)
    .map(Number);
}

function readFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has just ended.
    return undefined;
  }
}

function findChildren(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readParent(pid) === parent);
}

function readParent(pid: number): number | undefined {
  try {
    // `pid (name) state parent …`, and the name may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return Number(fields?.[1]);
  } catch {
    // It has just ended.
    return undefined;
  }
}
