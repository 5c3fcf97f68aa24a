// Processes of the benchmark: pinned, asked over IPC, one question at a time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { onCores } from '../cores.mjs';

/** Starts a file of this folder; `errorFile` is an open file that takes the place of its stderr. */
export async function startProcess(file, words, { cores, errorFile = 'inherit' }) {
  const command = [process.execPath, join(import.meta.dirname, file), ...words];
  const [program, ...rest] = onCores(command, cores);
  const child = spawn(program, rest, {
    // As a server is run: Express is cheaper so.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', errorFile, 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${file} ${words[0] ?? ''} ended with ${code ?? signal}`);
  });
  ended.catch(() => {});
  const answer = async () => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message;
  };
  const greeting = await answer();
  return {
    pid: child.pid,
    greeting,
    ask(message) {
      child.send(message);
      return answer();
    },
    /** Closes properly; resolves when it is gone. */
    async stop() {
      if (child.connected) child.disconnect();
      await ended.catch(() => {});
    },
  };
}

/** CPU that processes have used, their ended children included, in microseconds; in steps of 10 ms. */
export function readCpuMicros(pids) {
  let ticks = 0;
  for (const pid of pids) {
    const fields = readFields(pid);
    // utime, stime, cutime and cstime; proc(5) counts from the command, which is in brackets.
    if (fields !== undefined) ticks += fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0);
  }
  return ticks * 10_000;
}

/** The most memory that a process ever had in use, in MB. */
export function readPeakMb(pid) {
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

/** A process and its children, as they are now. */
export function listFamily(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

function readFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    // It ended meanwhile: its time is with its parent now.
    return undefined;
  }
}
