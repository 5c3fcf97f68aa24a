import type { StoreClock } from '@aftermeet/queue';
import { z } from 'zod';

import { changeRecord, readNote, type SharedStore } from './store/shared-store.ts';

/** A worker says so often that it lives. Milliseconds. */
const EVERY_MS = 15_000;
/** One that has not said so for this long is gone. */
const GONE_MS = 60_000;
/** One that is gone is listed for a day. */
const LISTED_MS = 24 * 60 * 60 * 1000;
const RECORD = 'workers';
/** How many are listed at most; the newest signs count. */
const MAX_LISTED = 100;

const workersSchema = z.record(
  z.string(),
  z.object({ sinceMs: z.number(), atMs: z.number(), skewMs: z.number(), isStopped: z.boolean().optional() }),
);

/** A worker process, by the store's clock. Times are milliseconds since 1970. */
export interface WorkerSign {
  /** `host:pid`. */
  readonly name: string;
  readonly sinceMs: number;
  /** Its last sign of life. */
  readonly atMs: number;
  /** How far its clock is behind the store's. */
  readonly skewMs: number;
  /** `gone`: it has given no sign for a minute, and did not say that it stops. */
  readonly state: 'alive' | 'stopped' | 'gone';
}

/** Writes the signs of life of one worker. A store that is away misses some. */
export function startHeartbeats(
  store: Pick<SharedStore, 'swap'>,
  { name, clock }: { readonly name: string; readonly clock: Pick<StoreClock, 'now' | 'machineAheadMs'> },
): { close(): Promise<void> } {
  const sinceMs = clock.now();
  const sign = async (isStopped = false): Promise<void> => {
    const storeMs = clock.now();
    const skewMs = -clock.machineAheadMs();
    const own = { sinceMs, atMs: storeMs, skewMs, ...(isStopped ? { isStopped } : {}) };
    const record = { name: RECORD, schema: workersSchema, keepMs: LISTED_MS };
    await changeRecord(
      store,
      record,
      (workers = {}) => {
        const known = Object.entries({ ...workers, [name]: own }).filter(
          ([, { atMs }]) => atMs > storeMs - LISTED_MS,
        );
        const newest = known.toSorted(([, one], [, other]) => other.atMs - one.atMs).slice(0, MAX_LISTED);
        return { answer: undefined, next: Object.fromEntries(newest) };
      },
      storeMs,
    );
  };
  let signing = sign().catch(() => undefined);
  const timer = setInterval(() => {
    signing = sign().catch(() => undefined);
  }, EVERY_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      await signing;
      await sign(true).catch(() => undefined);
    },
  };
}

/** The workers of the last day, the newest sign first. */
export async function listWorkers(
  store: Pick<SharedStore, 'read' | 'readClockMs'>,
): Promise<readonly WorkerSign[]> {
  const [text, storeMs] = await Promise.all([store.read(RECORD), store.readClockMs()]);
  const workers = Object.entries(readNote(workersSchema, text) ?? {});
  return workers
    .map(([name, { isStopped = false, ...times }]): WorkerSign => {
      const state = isStopped ? 'stopped' : times.atMs > storeMs - GONE_MS ? 'alive' : 'gone';
      return { name, ...times, state };
    })
    .toSorted((one, other) => other.atMs - one.atMs);
}
