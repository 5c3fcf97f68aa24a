import type { IQueueBackend } from 'bullmq';

import type { StoreClock } from '../store-clock.ts';

/** The calls of a BullMQ backend that answer with the next job, or wait for one. */
type Asking = Pick<
  IQueueBackend,
  'moveToActive' | 'moveToCompleted' | 'moveToFailed' | 'moveToDelayed' | 'waitForJob'
>;

/**
 * BullMQ reads the machine's clock. When the next job is due, which its answers say, becomes a time of that clock: so jobs start
 * in time on a machine whose clock is wrong. The times in its calls go through {@link toStoreTime}.
 */
export function translateTimes(asking: Asking, clock: Pick<StoreClock, 'machineAheadMs'>): void {
  const toMachine = (storeMs: number): number => storeMs + (storeMs > 0 ? clock.machineAheadMs() : 0);
  // The last value of an answer with the next job.
  const translate = <Next>(next: Next): Next => {
    if (Array.isArray(next) && typeof next[3] === 'number') next[3] = toMachine(next[3]);
    return next;
  };
  const moveToActive = asking.moveToActive.bind(asking);
  const moveToCompleted = asking.moveToCompleted.bind(asking);
  const moveToFailed = asking.moveToFailed.bind(asking);
  const moveToDelayed = asking.moveToDelayed.bind(asking);
  const waitForJob = asking.waitForJob.bind(asking);
  asking.moveToActive = async (...parameters) => translate(await moveToActive(...parameters));
  asking.moveToCompleted = async (...parameters) => {
    const finished = await moveToCompleted(...parameters);
    return { ...finished, result: translate(finished.result) };
  };
  asking.moveToFailed = async (...parameters) => {
    const finished = await moveToFailed(...parameters);
    return { ...finished, result: translate(finished.result) };
  };
  asking.moveToDelayed = async (...parameters) => translate(await moveToDelayed(...parameters));
  asking.waitForJob = async (seconds) => {
    const marker = await waitForJob(seconds);
    return marker && { ...marker, score: toMachine(marker.score) };
  };
}

/** A number that BullMQ passes is the time of the moment when it differs from it by less. */
const SAME_MOMENT_MS = 1000;

/** A value of a call; the time of the moment becomes that of the store. */
export function toStoreTime(value: unknown, clock: Pick<StoreClock, 'machineAheadMs'>): unknown {
  const isNow = typeof value === 'number' && Math.abs(value - Date.now()) < SAME_MOMENT_MS;
  return isNow ? value - clock.machineAheadMs() : value;
}
