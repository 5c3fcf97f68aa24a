import { Queue } from 'bullmq';

import type { Backend, ConnectionUse, PostgresBackend, RedisBackend } from '../backend.ts';
import type { JobData, JobName } from '../job-catalog.ts';
import { encodeJobData } from '../job-data-codec.ts';
import type { Log } from '../log.ts';
import { createOutageLog } from '../outage-log.ts';
import { closeRedis } from '../redis/close-redis.ts';
import { toSafeId } from '../safe-id.ts';
import { withDeadline } from '../with-deadline.ts';
import { jobOptions } from './job-options.ts';
import { PostgresQueue, toBullConnection } from './postgres-classes.ts';
import { bullPrefix, queueNames } from './queue-names.ts';

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
}

/** One BullMQ queue on either store, seen from the side that adds jobs. */
export interface JobStore<Name extends JobName> {
  /** Adds a job; a known id is a no-op. */
  add(job: NewJob<Name>): Promise<void>;
  addAll(jobs: readonly NewJob<Name>[]): Promise<void>;
  counts(): Promise<JobCounts>;
  close(): Promise<void>;
}

/** Opens the queue of one kind of job. Rejects when the store can't be reached now. */
export async function openJobStore<Name extends JobName>(
  backend: Backend,
  name: Name,
  use: ConnectionUse,
  log: Log,
): Promise<JobStore<Name>> {
  const { queue, release } =
    backend.kind === 'redis' ? openRedisQueue(backend, name, use) : openPostgresQueue(backend, name, use);
  const outage = createOutageLog(log, { store: backend.name, queue: queueNames[name] });
  queue.on('error', outage.failed);
  const close = async (): Promise<void> => {
    // Without its store BullMQ's own close does not end.
    await withDeadline(queue.close(), 5000).catch(() => undefined);
    await release();
  };
  try {
    await withDeadline(queue.waitUntilReady(), 5000);
  } catch (error) {
    await close();
    throw error;
  }

  const options = jobOptions(name);
  const toBullJob = ({ id, data }: NewJob<Name>) => ({
    name,
    data: encodeJobData(data),
    opts: { ...options, jobId: toSafeId(id) },
  });
  return {
    async add(job) {
      const { data, opts } = toBullJob(job);
      await queue.add(name, data, opts);
      outage.recovered();
    },
    async addAll(jobs) {
      if (jobs.length === 0) return;
      await queue.addBulk(jobs.map(toBullJob));
      outage.recovered();
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
    close,
  };
}

function openRedisQueue(backend: RedisBackend, name: JobName, use: ConnectionUse) {
  const client = backend.connect(use);
  const queue = new Queue<object, void>(queueNames[name], {
    connection: client,
    prefix: bullPrefix(backend.namespace),
    skipVersionCheck: true,
  });
  return { queue, release: () => closeRedis(client) };
}

function openPostgresQueue(backend: PostgresBackend, name: JobName, use: ConnectionUse) {
  const queue = new PostgresQueue<object, void>(queueNames[name], {
    connection: toBullConnection(backend, use),
  });
  return { queue, release: () => Promise.resolve() };
}
