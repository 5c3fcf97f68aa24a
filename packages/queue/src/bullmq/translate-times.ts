import type { IQueueBackend } from 'bullmq';

import type { StoreClock } from '../store-clock.ts';

/** The calls of a BullMQ backend that answer with the next job, or wait for one. */
type Asking = Pick<
  IQueueBackend,
  'moveToActive' | 'moveToCompleted' | 'moveToFailed' | 'moveToDelayed' | 'waitForJob'
>;

/**
 * BullMQ reads the machine's clock. When the next job is due, which its answers say, becomes a time of that clock: so jobs start
 * in time on a machine whose clock is wrong. The times in its calls go through {@link toStoreTimes}.
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

/** No number but a time since 1970 is as high. */
const EARLIEST_MS = 1e12;

/** A number of a schedule is the time of the moment when it differs from it by less. */
const SAME_MOMENT_MS = 1000;

/**
 * The values of a call of BullMQ, a command of Redis or a statement, with the store's time. Each time in them is that of the moment, which may be past: the machine's
 * clock may have been set since, or the process have been stopped. But a schedule's next time stays, and what PostgreSQL is
 * to delay has its delay added.
 */
export function toStoreTimes(
  command: string,
  values: readonly unknown[],
  { now }: Pick<StoreClock, 'now'>,
): unknown[] {
  const isSchedule = /scheduler/i.test(command);
  const delayMs = /\bmove_to_delayed\(/.test(command) ? Number(values[4]) : 0;
  return values.map((value) => {
    if (typeof value !== 'number' || value < EARLIEST_MS) return value;
    if (isSchedule && Math.abs(value - Date.now()) > SAME_MOMENT_MS) return value;
    return now() + delayMs;
  });
}
