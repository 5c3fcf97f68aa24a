import { readFile } from 'node:fs/promises';

import { describeSystemFault } from './upload-fault.ts';

interface ProcessState {
  /** Dead, whether or not its parent has taken notice (`zombie`). */
  readonly isDead: boolean;
  /** In clock ticks since the machine started: tells it from a later process with the same id. */
  readonly started: string;
}

/** What Linux tells of a process; undefined elsewhere, where there is none, and where it is hidden. */
export async function readProcess(pid: number | 'self'): Promise<ProcessState | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return readStat(text);
}

/** The line of `/proc/<pid>/stat` (proc_pid_stat(5)). The second field is a name, and may hold anything. */
export function readStat(text: string): ProcessState | undefined {
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(' ');
  // Fields 3 and 22.
  const [state, started] = [fields[0], fields[19]];
  if (state === undefined || started === undefined) return undefined;
  return { isDead: 'ZXx'.includes(state), started };
}

/** A process that is dead, and of which its parent took no notice, answers too. */
export function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return describeSystemFault(error) !== 'ESRCH';
  }
}
