import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

import { z } from 'zod';

const ownerSchema = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** When the process began: in a container every process has the same id. Unix milliseconds. */
  bornMs: z.number(),
  /** The same in Linux's own words, which a later process with the same id has not. */
  started: z.string().optional(),
});

/** The process that holds a lock. */
export type LockOwner = z.infer<typeof ownerSchema>;

/** What can be told of the owner from here: a process of another machine or container is not seen, and one without `started` may be another one with the same id. */
export type OwnerState = 'alive' | 'dead' | 'unsure';

export function nameOwner(): LockOwner {
  const started = readStart(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    bornMs: performance.timeOrigin,
    ...(started === undefined ? {} : { started }),
  };
}

/** Undefined where the text names nobody. */
export function readOwner(text: string): LockOwner | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function judgeOwner(owner: LockOwner, self: LockOwner): OwnerState {
  if (owner.host !== self.host) return 'unsure';
  if (owner.pid === self.pid) return owner.bornMs === self.bornMs ? 'alive' : 'dead';
  if (!answersSignals(owner.pid)) return 'dead';
  const started = readStart(owner.pid);
  if (started === undefined || owner.started === undefined) return 'unsure';
  return started === owner.started ? 'alive' : 'dead';
}

/** Field 22 of `/proc/<pid>/stat` (proc_pid_stat(5)); the second one is a name, and may hold anything. Undefined where the system tells none, and `dead` of a process whose parent took no notice of its end. */
function readStart(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return 'ZXx'.includes(fields[0] ?? '') ? 'dead' : fields[19];
  } catch {
    return undefined;
  }
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
