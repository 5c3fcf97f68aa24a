import { isDeepStrictEqual } from 'node:util';

import type { Backend } from './backend.ts';
import { jobOptions } from './bullmq/job-options.ts';
import { type BullQueue, openQueues } from './bullmq/open-queues.ts';
import { nameQueue } from './bullmq/queue-names.ts';
import type { ScheduleJob } from './job-catalog.ts';
import { encodeJobData } from './job-data-codec.ts';
import type { Log } from './log.ts';

/** When something is due: every so many milliseconds, or by a cron expression of five fields. */
export type Cadence = { readonly everyMs: number } | { readonly cron: string; readonly timeZone?: string };

/** What is due by the clock; its jobs are of the kind `schedule`. */
export interface JobSchedules {
  /**
   * Adds or changes a schedule; whoever asks for the same again changes nothing, not even its next moment. One with
   * `everyMs` is due at once, and then every so often. Moments that pass while no worker runs become one job.
   */
  set(id: string, cadence: Cadence, job: ScheduleJob): Promise<void>;
  /** Removes every schedule that is not among these. */
  keepOnly(ids: readonly string[]): Promise<void>;
  list(): Promise<readonly { readonly id: string; readonly nextAtMs?: number }[]>;
  close(): Promise<void>;
}

/** Opens the schedules. Rejects when the store can't be reached now. */
export async function openJobSchedules(
  backend: Backend,
  { log }: { readonly log: Log },
): Promise<JobSchedules> {
  const queues = await openQueues(backend, 'work', log);
  const queue = queues.open(nameQueue({ name: 'schedule' }));
  return {
    async set(id, cadence, job) {
      const repeat = toRepeat(cadence);
      const data = encodeJobData(job);
      // BullMQ would count anew from now: a moment that has passed while nobody worked would be skipped.
      if (await isRunning(queue, id, repeat, data)) return;
      await queue.upsertJobScheduler(id, repeat, { name: 'schedule', data, opts: jobOptions('schedule') });
    },
    async keepOnly(ids) {
      for (const { key } of await queue.getJobSchedulers()) {
        if (!ids.includes(key)) await queue.removeJobScheduler(key);
      }
    },
    async list() {
      const found = await queue.getJobSchedulers(0, -1, true);
      return found.map(({ key, next }) => ({ id: key, ...(next === undefined ? {} : { nextAtMs: next }) }));
    },
    close: () => queues.close(),
  };
}

function toRepeat(cadence: Cadence) {
  if ('everyMs' in cadence) return { every: cadence.everyMs };
  // Without a zone BullMQ would count by the clock of the machine.
  return { pattern: cadence.cron, tz: cadence.timeZone ?? 'UTC' };
}

/** Whether there is this very schedule and the job of its next moment, which makes the one after it when it is taken. */
async function isRunning(
  queue: BullQueue,
  id: string,
  repeat: ReturnType<typeof toRepeat>,
  data: object,
): Promise<boolean> {
  const found = await queue.getJobScheduler(id);
  if (found === undefined) return false;
  const { every, pattern, tz, template, next } = found;
  const isSame =
    every === repeat.every &&
    pattern === repeat.pattern &&
    tz === repeat.tz &&
    isDeepStrictEqual(template?.data, data);
  if (!isSame) return false;
  const state = await queue.getJobState(`repeat:${id}:${next}`);
  return state !== 'unknown' && state !== 'completed' && state !== 'failed';
}
