import { hostname } from 'node:os';

import { asFields, asText } from '../report/loose.ts';
import { answersSignals, readProcess } from './process-state.ts';

/** Who holds a lock. A process id alone is not enough: in a container every process has the same. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  readonly bornMs: number;
  /** Where the system tells; see `ProcessState`. */
  readonly started?: string;
}

export async function nameOwner(): Promise<LockOwner> {
  const started = (await readProcess('self'))?.started;
  return {
    pid: process.pid,
    host: hostname(),
    bornMs: performance.timeOrigin,
    ...(started === undefined ? {} : { started }),
  };
}

/** Undefined where the text names nobody. */
export function readOwner(text: string): LockOwner | undefined {
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
export async function isOwnerDead(owner: LockOwner, self: LockOwner): Promise<boolean> {
  if (owner.host !== self.host) return false;
  const state = await readProcess(owner.pid);
  if (state?.isDead === true) return true;
  if (state !== undefined && owner.started !== undefined) return state.started !== owner.started;
  return owner.pid === self.pid ? owner.bornMs !== self.bornMs : !answersSignals(owner.pid);
}
