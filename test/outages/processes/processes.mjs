import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';

// What Linux tells of processes in /proc.

function listPids() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The children of a process. */
export function findChildren(parent) {
  return listPids().filter((pid) => {
    // `pid (name) state parent …`, and the name may hold anything.
    const fields = readOr(`/proc/${pid}/stat`, '').split(') ').at(-1).split(' ');
    return Number(fields[1]) === parent && fields[0] !== 'Z';
  });
}

/** The processes that work in a folder or below it: everything of ours is started in a folder of its own. */
export function findProcessesIn(folder) {
  return listPids().filter((pid) => {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '');
      return cwd === folder || cwd.startsWith(`${folder}/`);
    } catch {
      // It has just ended.
      return false;
    }
  });
}

/** Sends a signal to processes; one that has ended is no error. */
export function signalAll(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended.
    }
  }
}

/** Stops a process and its children, the parent first: it must not make another while its children are listed. */
export function stopFamily(parent) {
  signalAll([parent], 'SIGSTOP');
  signalAll(findChildren(parent), 'SIGSTOP');
}

export function continueFamily(parent) {
  signalAll([...findChildren(parent), parent], 'SIGCONT');
}

/** Megabytes of memory that a process has now, and the most since {@link forgetPeak}. */
export function readMemory(pid) {
  const status = readOr(`/proc/${pid}/status`, '');
  const read = (name) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024);
  return { nowMb: read('VmRSS'), peakMb: read('VmHWM') };
}

export function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Milliseconds for which the kernel has kept a process's main thread waiting for a processor, since its start. */
export function readWaitedMs(pid) {
  return Number(readOr(`/proc/${pid}/schedstat`, '0 0 0').split(' ')[1]) / 1e6;
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
