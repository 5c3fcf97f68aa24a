import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// What Linux tells of processes in /proc.

function listPids() {
  // Only Linux has it; the benchmarks run elsewhere too.
  if (!existsSync('/proc')) return [];
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
function readWaitedMs(pid) {
  return Number(readOr(`/proc/${pid}/schedstat`, '0 0 0').split(' ')[1]) / 1e6;
}

export function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

const folders = new Set();

let watchdog;

/** A new folder that every user may enter: a PostgreSQL that root starts runs as another one. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-harness-'));
  chmodSync(folder, 0o755);
  watchFolder(folder);
  return folder;
}

/** Has a folder cleaned, with the processes in it, when this process ends, however it ends. */
export function watchFolder(folder) {
  if (watchdog === undefined) {
    const file = join(import.meta.dirname, 'watchdog.mjs');
    // In a group of its own: Ctrl-C must not reach it.
    watchdog = spawn(process.execPath, [file], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    watchdog.unref();
    watchdog.stdin.unref();
    process.on('exit', () => folders.forEach(cleanFolder));
    process.on('SIGINT', () => process.exit(130));
    process.on('SIGTERM', () => process.exit(143));
  }
  watchdog.stdin.write(`${folder}\n`);
  folders.add(folder);
}

/** Ends what still runs in a folder, and removes it. */
export function removeFolder(folder) {
  cleanFolder(folder);
  folders.delete(folder);
}

/** Runs `work` with a new folder, which is cleaned after it. */
export async function withFolder(work) {
  const folder = makeFolder();
  try {
    return await work(folder);
  } finally {
    removeFolder(folder);
  }
}

/** Ends every process that works in a folder, stopped ones too, and removes it. */
export function cleanFolder(folder) {
  // More than once: a server that is being killed may just have made another child.
  for (let tries = 0; tries < 50; tries += 1) {
    const left = findProcessesIn(folder);
    if (left.length === 0) break;
    signalAll(left, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Not what is looked at here: a busy machine may take its time. */
const READY_WITHIN_MS = 60_000;

/**
 * A Node program in a folder of its own, which may be started again and again. `start` resolves once it has written a line
 * to its stdout: it works. Its stderr is the file `log`.
 */
export function createProgram({ name, folder, words, env }) {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  let child;
  const program = {
    name,
    pid: 0,
    /** Whether it has said that it works, and lives. */
    isUp: false,
    /** Resolves with the exit code, or the name of the signal that ended it. */
    ended: Promise.resolve(0),
    async start() {
      const log = openSync(join(cwd, 'log'), 'a');
      child = spawn(process.execPath, words, {
        cwd,
        stdio: ['ignore', 'pipe', log],
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      });
      closeSync(log);
      program.pid = child.pid;
      program.ended = once(child, 'exit').then(([code, signal]) => {
        program.isUp = false;
        return code ?? signal;
      });
      const line = once(createInterface({ input: child.stdout }), 'line', {
        signal: AbortSignal.timeout(READY_WITHIN_MS),
      }).then(
        () => undefined,
        () => `was not ready within ${READY_WITHIN_MS} ms`,
      );
      const failure = await Promise.race([line, program.ended.then((code) => `ended with ${code}`)]);
      if (failure !== undefined) {
        child.kill('SIGKILL');
        throw new Error(`${name} ${failure}: ${readLog(folder, name).slice(-2000)}`);
      }
      program.isUp = true;
    },
    signal: (signal) => child.kill(signal),
    /** Sends a signal and waits for the end. */
    async end(signal) {
      program.isUp = false;
      if (child?.exitCode === null && child.signalCode === null) child.kill(signal);
      return await program.ended;
    },
  };
  return program;
}

/** What the programs in a folder have logged, by their names. */
export function readLogs(folder) {
  return readdirSync(folder).map((name) => ({ name, text: readLog(folder, name) }));
}

export function readLog(folder, name) {
  return readOr(join(folder, name, 'log'), '');
}

/** A free port on 127.0.0.1, below those that the system gives to connections: it stays free while its server is down. */
export async function findFreePort() {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port between 20000 and 32000');
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

const EVERY_MS = 50;

/** Looking for children reads all of /proc. */
const FIND_CHILDREN_EVERY_MS = 500;

/** As long as an answer may take: what a process waited in such a time is what one answer may have waited. */
const WINDOW_MS = 1200;

/**
 * Watches how long the kernel keeps processes waiting for a processor. `finish` says the most that one of them waited
 * within the time of one answer: other programs on the machine are no fault of the receiver.
 */
export function watchWaiting(programs) {
  const histories = new Map();
  let mostMs = 0;
  let pids = [];
  let foundMs = -Infinity;
  const look = () => {
    const nowMs = performance.now();
    if (nowMs - foundMs > FIND_CHILDREN_EVERY_MS) {
      foundMs = nowMs;
      pids = programs.flatMap(({ pid }) => [pid, ...findChildren(pid)]);
    }
    for (const pid of pids) {
      const history = histories.get(pid) ?? [];
      const waitedMs = readWaitedMs(pid);
      history.push({ nowMs, waitedMs });
      while (history[0].nowMs < nowMs - WINDOW_MS) history.shift();
      mostMs = Math.max(mostMs, waitedMs - history[0].waitedMs);
      histories.set(pid, history);
    }
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    finish() {
      clearInterval(timer);
      return mostMs;
    },
  };
}
