// Processes of a benchmark: pinned to cores, asked over IPC, one question at a time.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { findChildren, readLog, readOr, withFolder } from '../harness/processes.mjs';

/**
 * Runs `work(child)` beside a role of a file of this folder (see child.mjs), which runs on the cores and ends with it. An
 * error of `work` has the last words of the process: its stderr goes to a file, as that of a service does.
 */
export function withProcess([file, role, options = {}], cores, work) {
  return withFolder(async (folder) => {
    const log = openSync(join(folder, 'log'), 'w');
    const command = [process.execPath, join(import.meta.dirname, 'child.mjs'), file, role];
    const [program, ...words] = onCores([...command, JSON.stringify(options)], cores);
    const child = spawn(program, words, {
      cwd: folder,
      // As a server is run.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', log, 'ipc'],
    });
    closeSync(log);
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`${role} of ${file} ended with ${code ?? signal}`);
    });
    ended.catch(() => {});
    const answer = async () => (await Promise.race([once(child, 'message'), ended]))[0];
    try {
      const greeting = await answer();
      const ask = (task, order = {}) => {
        child.send({ task, order });
        return answer();
      };
      return await work({ greeting, ask });
    } catch (error) {
      const lastWords = readLog(folder, '.').slice(-2000);
      throw lastWords === '' ? error : new Error(`${error.message}\n${lastWords}`, { cause: error });
    } finally {
      if (child.connected) child.disconnect();
      await ended.catch(() => {});
    }
  });
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
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readOr('/proc/self/status', '')) ?? [];
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_unused, index) => first + index);
  });
}

function onCores(command, cores) {
  return cores.length > 0 ? ['taskset', '-c', cores.join(','), ...command] : command;
}

/** Moves a process that runs already and its children, with all their threads; what they start from now on stays there. */
export function moveToCores(pid, cores) {
  if (cores.length === 0) return;
  for (const one of [pid, ...findChildren(pid)])
    spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(one)]);
}

/** CPU that a process and its children have used, those that have ended included, in microseconds; in steps of 10 ms. */
export function readCpuMicros(pid) {
  let ticks = 0;
  for (const one of [pid, ...findChildren(pid)]) {
    const stat = readOr(`/proc/${one}/stat`, '');
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
