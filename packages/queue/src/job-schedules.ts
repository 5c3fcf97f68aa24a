import { isDeepStrictEqual } from 'node:util';

import type { Backend } from './backend.ts';
import { type BullQueue, jobOptions, nameQueue, openQueues } from './bullmq/queues.ts';
import { encodeJobData, type ScheduleJob } from './job-catalog.ts';

/** An interval, or a cron expression of five fields. Default time zone UTC. */
export type Cadence = { readonly everyMs: number } | { readonly cron: string; readonly timeZone?: string };

/** Schedules, whose jobs are of the kind `schedule`. */
export interface JobSchedules {
  /**
   * Adds or changes a schedule; the same schedule again changes nothing, not even its next time. With `everyMs` it is due
   * at once, and then at each interval. Times that pass while no worker runs become one job.
   */
  set(id: string, cadence: Cadence, job: ScheduleJob): Promise<void>;
  /** Removes all other schedules. */
  keepOnly(ids: readonly string[]): Promise<void>;
  list(): Promise<readonly { readonly id: string; readonly nextAtMs?: number }[]>;
  close(): Promise<void>;
}

/** Rejects when the store can't be reached now. */
export async function openJobSchedules(backend: Backend): Promise<JobSchedules> {
  const queues = await openQueues(backend, 'work');
  const queue = queues.open(nameQueue({ name: 'schedule' }));
  return {
    async set(id, cadence, job) {
      const repeat = toRepeat(cadence);
      const data = encodeJobData(job);
      // BullMQ would count from now, and skip a time that has passed while no worker ran.
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
  // Without a zone BullMQ would use that of the machine.
  return { pattern: cadence.cron, tz: cadence.timeZone ?? 'UTC' };
}

/** Whether the schedule exists unchanged, with the job of its next time, which creates the one after it. */
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
