import type { Backend } from './backend.ts';
import {
  jobOptions,
  type JobSelection,
  nameQueue,
  openQueues,
  type Queues,
  toPriority,
} from './bullmq/queues.ts';
import { createGroupedWriter } from './grouped-writer.ts';
import {
  type EffectJob,
  encodeJobData,
  type EventJob,
  type JobData,
  type JobName,
  toSafeId,
} from './job-catalog.ts';

export interface NewEffect {
  readonly job: EffectJob;
  /** The job is due after this time. */
  readonly delayMs?: number;
  /**
   * Its place among the effects that wait for the same limit, from 1. Of the jobs that are due one of each limit is taken
   * after the other.
   */
  readonly place?: number;
}

/** Adds jobs to the queues. */
export interface JobQueue {
  /** Stores effects durably; an effect whose key is known stays unchanged. */
  addEffects(effects: readonly NewEffect[]): Promise<void>;
  /** Keys of these effects whose jobs are stored, in any state. */
  findQueued(effects: readonly Pick<EffectJob, 'destination' | 'effectKey'>[]): Promise<ReadonlySet<string>>;
  /** Stores an event durably; an event whose id is known stays unchanged. It comes before all deliveries that wait. */
  addEvent(id: string, job: EventJob): Promise<void>;
  counts(name: Exclude<JobName, 'effect'>): Promise<JobCounts>;
  countEffects(destination: string): Promise<JobCounts>;
  /**
   * When the job that has waited longest for a worker was added, looked for among the next hundred; of a destination or (without
   * one) of the deliveries. Milliseconds since 1970. Undefined: none waits.
   */
  findOldest(destination?: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Rejects when the store can't be reached now. */
export async function createJobQueue(backend: Backend): Promise<JobQueue> {
  const queues = await openQueues(backend, 'work');
  const events = openProducer(queues, { name: 'event' });
  const schedules = openProducer(queues, { name: 'schedule' });
  const effects = new Map<string, JobProducer<'effect'>>();
  const openEffects = (destination: string): JobProducer<'effect'> => {
    const known = effects.get(destination);
    if (known !== undefined) return known;
    const producer = openProducer(queues, { name: 'effect', destination });
    effects.set(destination, producer);
    return producer;
  };

  return {
    addEffects: async (added) => {
      const destinations = new Set(added.map(({ job }) => job.destination));
      await Promise.all(
        [...destinations].map((destination) =>
          openEffects(destination).addAll(
            added
              .filter(({ job }) => job.destination === destination)
              .map(({ job, delayMs, place }) => ({ id: job.effectKey, data: job, delayMs, place })),
          ),
        ),
      );
    },
    async findQueued(wanted) {
      const found = await Promise.all(
        wanted.map(async ({ destination, effectKey }) =>
          (await openEffects(destination).has(effectKey)) ? [effectKey] : [],
        ),
      );
      return new Set(found.flat());
    },
    addEvent: (id, job) => events.add({ id, data: job }),
    counts: (name) => (name === 'event' ? events : schedules).counts(),
    countEffects: (destination) => openEffects(destination).counts(),
    findOldest: (destination) => (destination === undefined ? events : openEffects(destination)).findOldest(),
    close: () => queues.close(),
  };
}

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
  /** The job is due after this time. */
  readonly delayMs?: number | undefined;
  readonly place?: number | undefined;
}

/** Adds jobs to one BullMQ queue. */
interface JobProducer<Name extends JobName> {
  /** Adds a job; a known id is a no-op. */
  add(job: NewJob<Name>): Promise<void>;
  addAll(jobs: readonly NewJob<Name>[]): Promise<void>;
  has(id: string): Promise<boolean>;
  counts(): Promise<JobCounts>;
  findOldest(): Promise<number | undefined>;
}

/**
 * Jobs of one tick of the event loop are added together. The limits are long, because a worker waits for a store that is
 * unavailable; jobs that are not added are planned again with the same ids.
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

/** The job that has waited longest is looked for among so many. */
const OLDEST_AMONG = 100;

/** The queue shares its connection with the others of `queues`. */
export function openProducer<Name extends JobName>(
  queues: Queues,
  selection: JobSelection<Name>,
): JobProducer<Name> {
  const { name } = selection;
  const queueName = nameQueue(selection);
  const queue = queues.open(queueName);
  const options = jobOptions(name);
  const toBullJob = ({ id, data, delayMs = 0, place }: NewJob<Name>) => ({
    name,
    data: encodeJobData(data),
    // PostgreSQL's columns hold whole milliseconds.
    opts: {
      ...options,
      jobId: toSafeId(id),
      ...queues.timeJob(),
      ...(delayMs > 0 ? { delay: Math.ceil(delayMs) } : {}),
      ...(place === undefined ? {} : { priority: toPriority(queues.heads.of(queueName) + place) }),
    },
  });
  const add = async (job: NewJob<Name>): Promise<void> => {
    const { data, opts } = toBullJob(job);
    await queue.add(name, data, opts);
  };
  const { destination } = selection;
  const writer = createGroupedWriter<NewJob<Name>, true>(async (group) => {
    // Each time and at once: a store that was emptied has forgotten it, and the connection takes both in one go.
    const noted = destination === undefined ? undefined : queues.noteDestination(destination);
    const adding =
      group.length <= queues.maxSingleAdds ? group.map(add) : [queue.addBulk(group.map(toBullJob))];
    await Promise.all([noted, ...adding]);
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
    has: async (id) => (await queue.getJobState(toSafeId(id))) !== 'unknown',
    async findOldest() {
      // Those that come next, which are not sorted by their time.
      const jobs = await queue.getJobs(['waiting', 'prioritized'], 0, OLDEST_AMONG - 1, true);
      return jobs.length === 0 ? undefined : Math.min(...jobs.map(({ timestamp }) => timestamp));
    },
    async counts() {
      const found = await queue.getJobCounts(
        'waiting',
        'prioritized',
        'active',
        'delayed',
        'completed',
        'failed',
      );
      return {
        waiting: (found['waiting'] ?? 0) + (found['prioritized'] ?? 0),
        active: found['active'] ?? 0,
        delayed: found['delayed'] ?? 0,
        completed: found['completed'] ?? 0,
        failed: found['failed'] ?? 0,
      };
    },
  };
}
