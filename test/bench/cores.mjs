// Which cores a measured process runs on, where that can be said.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The cores that this process may use, where taskset can pin another to one; else none. */
export function listCores() {
  if (spawnSync('taskset', ['--version']).status !== 0) return [];
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_unused, index) => first + index);
  });
}

/** The words that run a command on one of the cores, or on any where none are given. */
export function onCores(command, cores) {
  return cores.length > 0 ? ['taskset', '-c', cores.join(','), ...command] : command;
}

/** Moves processes that run already, each with all its threads. */
export function moveToCores(pids, cores) {
  if (cores.length === 0) return;
  for (const pid of pids) spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(pid)]);
}
