import { createGroupedWriter } from '../grouped-writer.ts';
import type { JobData, JobName } from '../job-catalog.ts';
import { encodeJobData } from '../job-data-codec.ts';
import { toSafeId } from '../safe-id.ts';
import { jobOptions } from './job-options.ts';
import type { Queues } from './open-queues.ts';
import { type JobSelection, nameQueue } from './queue-names.ts';

/** How many jobs are in each state. */
export interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly completed: number;
  readonly failed: number;
}

interface NewJob<Name extends JobName> {
  readonly id: string;
  readonly data: JobData<Name>;
  /** It is not taken before that. */
  readonly delayMs?: number | undefined;
}

/** One BullMQ queue on either store, seen from the side that adds jobs. */
export interface JobStore<Name extends JobName> {
  /** Adds a job; a known id is a no-op. */
  add(job: NewJob<Name>): Promise<void>;
  addAll(jobs: readonly NewJob<Name>[]): Promise<void>;
  counts(): Promise<JobCounts>;
}

/**
 * What arrives in one turn is added together. A worker waits patiently for a store that is away: what is not added now
 * is planned again, under the same ids.
 */
const writerSettings = {
  maxGroup: 256,
  maxGroupSize: 256,
  maxInFlight: 2,
  maxWaiting: 100_000,
  maxWaitingSize: 100_000,
  startWithinMs: 25_000,
  answerWithinMs: 30_000,
  sizeOf: () => 1,
};

/** Opens the queue of one kind of job, among those that share a connection. */
export function openJobStore<Name extends JobName>(
  queues: Queues,
  selection: JobSelection<Name>,
): JobStore<Name> {
  const { name } = selection;
  const queue = queues.open(nameQueue(selection));
  const options = jobOptions(name);
  const toBullJob = ({ id, data, delayMs = 0 }: NewJob<Name>) => ({
    name,
    data: encodeJobData(data),
    // Part of a millisecond is more than PostgreSQL's columns hold.
    opts: { ...options, jobId: toSafeId(id), ...(delayMs > 0 ? { delay: Math.ceil(delayMs) } : {}) },
  });
  const add = async (job: NewJob<Name>): Promise<void> => {
    const { data, opts } = toBullJob(job);
    await queue.add(name, data, opts);
  };
  const writer = createGroupedWriter<NewJob<Name>, true>(async (group) => {
    if (group.length <= queues.fewJobs) await Promise.all(group.map(add));
    else await queue.addBulk(group.map(toBullJob));
    queues.outage.recovered();
    return group.map(() => true as const);
  }, writerSettings);
  return {
    async add(job) {
      await writer.write(job);
    },
    async addAll(jobs) {
      await Promise.all(jobs.map((job) => writer.write(job)));
    },
    async counts() {
      const found = await queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed');
      return {
        waiting: found['waiting'] ?? 0,
        active: found['active'] ?? 0,
        delayed: found['delayed'] ?? 0,
        completed: found['completed'] ?? 0,
        failed: found['failed'] ?? 0,
      };
    },
  };
}
