// Processes of a benchmark: pinned to cores, asked over IPC, one question at a time.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts a role of a file of this folder; `errorFile` is an open file that takes the place of its stderr. */
export async function startProcess(file, role, options = {}, { cores = [], errorFile = 'inherit' } = {}) {
  const command = [process.execPath, join(import.meta.dirname, 'child.mjs'), file, role];
  const [program, ...words] = onCores([...command, JSON.stringify(options)], cores);
  const child = spawn(program, words, {
    // As a server is run: Express is cheaper so.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', errorFile, 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${role} of ${file} ended with ${code ?? signal}`);
  });
  ended.catch(() => {});
  const answer = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  const greeting = await answer();
  return {
    greeting,
    ask(task, order = {}) {
      child.send({ task, order });
      return answer();
    },
    /** Closes properly; resolves when it is gone. */
    async stop() {
      if (child.connected) child.disconnect();
      await ended.catch(() => {});
    },
  };
}

/** What `work` takes of a process, by the clock and in CPU. */
export async function measureUsage(child, work) {
  const before = await child.ask('usage');
  const startedMs = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedMs) / 1000;
  const { cpuMicros, peakMb } = await child.ask('usage');
  return { seconds, cpuMicros: cpuMicros - before.cpuMicros, peakMb, ...result };
}

/** One core for the measured process, others for what delivers and what stores; none where nothing can be pinned. */
export function planCores() {
  const cores = listCores();
  return { measured: cores.slice(0, 1), others: cores.length > 1 ? cores.slice(1, 2) : cores };
}

function listCores() {
  if (spawnSync('taskset', ['--version']).status !== 0) return [];
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_unused, index) => first + index);
  });
}

/** The words that run a command on the cores, or on any where none are given. */
export function onCores(command, cores) {
  return cores.length > 0 ? ['taskset', '-c', cores.join(','), ...command] : command;
}

/** Moves processes that run already, each with all its threads. */
export function moveToCores(pids, cores) {
  if (cores.length === 0) return;
  for (const pid of pids) spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(pid)]);
}

/** CPU that processes have used, their ended children included, in microseconds; in steps of 10 ms. */
export function readCpuMicros(pids) {
  let ticks = 0;
  for (const pid of pids) {
    const stat = readOr(`/proc/${pid}/stat`, '');
    // utime, stime, cutime and cstime; proc(5) counts from the command, which is in brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // One that has ended has none: its time is with its parent now.
    ticks += fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
  }
  return ticks * 10_000;
}

/** The most memory that a process ever had in use. Not `maxRSS`: a new process inherits that of its parent. */
export function readPeakMb(pid) {
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readOr(`/proc/${pid}/status`, '')) ?? [];
  return (Number(kibibytes ?? process.resourceUsage().maxRSS) * 1024) / 1e6;
}

/** A process and its children, as they are now. */
export function listFamily(pid) {
  const children = readOr(`/proc/${pid}/task/${pid}/children`, '').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

/** Runs `work` with a new folder, which is removed after it. */
export async function withFolder(work) {
  const folder = makeFolder();
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const keep = atExit(remove);
  try {
    return await work(folder);
  } finally {
    keep();
    remove();
  }
}

/** A new folder that every user may enter: a PostgreSQL that root starts runs as another one. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Runs `clean` when this process ends early, by an error or a signal; returns a function that takes it back. */
export function atExit(clean) {
  process.on('exit', clean);
  return () => process.off('exit', clean);
}

/** Without this a signal ends the process before anything is cleaned. */
export function exitOnSignals() {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}
