import { ErrorCode } from 'bullmq';

import type { Backend, ConnectionUse } from './backend.ts';
import { type BullQueue, nameQueue, openQueues } from './bullmq/queues.ts';
import { groupReads } from './grouped-reader.ts';
import { type EffectJob, encodeJobData, type JobName, parseJobData, toSafeId } from './job-catalog.ts';
import type { JobStore, ReadJob, StoredJob, UnfinishedState } from './job-store.ts';
import { openPostgresJobStore } from './postgres/postgres-jobs.ts';
import { openRedisJobStore } from './redis/redis-jobs.ts';

/** Lists, finds and repeats stored jobs for operators. */
export interface JobAdmin {
  /**
   * The events that were added in a range of time (milliseconds since 1970, both ends included), newest first. Jobs are
   * read in pages, on demand.
   */
  listEvents(range?: { readonly fromMs?: number; readonly toMs?: number }): AsyncIterable<StoredJob<'event'>>;
  /** The ids of these events, in pages, without what they hold. */
  listEventIds(range?: {
    readonly fromMs?: number;
    readonly toMs?: number;
  }): AsyncIterable<readonly string[]>;
  /** The events that wait for a worker, at most 1,000. */
  listWaitingEvents(): AsyncIterable<StoredJob<'event'>>;
  /** The destinations of all effects that are stored, in any state. */
  listDestinations(): Promise<readonly string[]>;
  /** What is looked for in one turn of the event loop is read together; so it is with `findEffect`. */
  findEvent(id: string): Promise<StoredJob<'event'> | undefined>;
  /** The events whose ids begin with `prefix`; at most `limit`. */
  findEventsByPrefix(prefix: string, limit: number): Promise<readonly StoredJob<'event'>[]>;
  findEffect(destination: string, effectKey: string): Promise<StoredJob<'effect'> | undefined>;
  /**
   * The effects of a destination in one of these states, the next one to be taken first. Jobs are read in pages, on
   * demand; a job that changes its state meanwhile may be missing.
   */
  listEffects(destination: string, state: UnfinishedState): AsyncIterable<StoredJob<'effect'>>;
  /** The effects in any state whose ids begin with `prefix`; at most `limit`. */
  findEffectsByPrefix(prefix: string, limit: number): Promise<readonly StoredJob<'effect'>[]>;
  /**
   * Puts a failed or completed effect back into the queue as if it were new, and makes a delayed one due now. Returns
   * false when the job is in another state, or removed.
   */
  repeatEffect(destination: string, effectKey: string): Promise<boolean>;
  /** Deletes an event, or an effect, with all that it holds. False: it is not there, or a worker has it now. */
  removeEvent(id: string): Promise<boolean>;
  removeEffect(destination: string, effectKey: string): Promise<boolean>;
  close(): Promise<void>;
}

const MAX_WAITING_EVENTS = 1000;

/** Jobs that are read in one step. */
const PAGE = 100;

/** BullMQ's codes for a job that is removed, or in another state. */
const movedCodes: readonly unknown[] = [ErrorCode.JobNotExist, ErrorCode.JobNotInState];

/** Rejects when the store can't be reached now. */
export async function openJobAdmin(backend: Backend): Promise<JobAdmin> {
  const queues = await openQueues(backend, 'work');
  const store = openJobStore(backend, 'work');
  const events = queues.open(nameQueue({ name: 'event' }));
  const openEffects = (destination: string): BullQueue =>
    queues.open(nameQueue({ name: 'effect', destination }));

  const readers = new Map<string, (id: string) => Promise<ReadJob | undefined>>();
  function openReader(queueName: string): (id: string) => Promise<ReadJob | undefined> {
    const known = readers.get(queueName);
    if (known !== undefined) return known;
    const reader = groupReads((ids: readonly string[]) => store.read(queueName, ids), PAGE);
    readers.set(queueName, reader);
    return reader;
  }

  async function find<Name extends JobName>(
    queue: BullQueue,
    name: Name,
    id: string,
  ): Promise<StoredJob<Name> | undefined> {
    const found = await openReader(queue.name)(id);
    if (found === undefined) return undefined;
    const { data: stored, ...job } = found;
    const data = parseJobData(name, stored);
    return { ...job, ...(data === undefined ? {} : { data }) };
  }

  async function findAll<Name extends JobName>(
    queue: BullQueue,
    name: Name,
    ids: readonly string[],
  ): Promise<readonly StoredJob<Name>[]> {
    const found = await Promise.all(ids.map((id) => find(queue, name, id)));
    return found.filter((job) => job !== undefined);
  }

  const listIds: JobAdmin['listEventIds'] = ({ fromMs = 0, toMs = Number.MAX_SAFE_INTEGER - 1 } = {}) =>
    store.listIds(events.name, { fromMs, toMs });

  return {
    async *listEvents(range) {
      for await (const ids of listIds(range)) {
        for (let at = 0; at < ids.length; at += PAGE) {
          yield* await findAll(events, 'event', ids.slice(at, at + PAGE));
        }
      }
    },
    listEventIds: listIds,
    async *listWaitingEvents() {
      let left = MAX_WAITING_EVENTS;
      for (const state of ['waiting', 'delayed', 'active'] as const) {
        for await (const page of store.listUnfinished(events.name, state)) {
          for (const { data: stored, ...job } of page) {
            if (left === 0) return;
            left -= 1;
            const data = parseJobData('event', stored);
            yield { ...job, state, ...(data === undefined ? {} : { data }) };
          }
        }
      }
    },
    listDestinations: () => store.listDestinations(),
    findEvent: (id) => find(events, 'event', toSafeId(id)),
    findEventsByPrefix: async (prefix, limit) =>
      await findAll(events, 'event', await store.findIds(events.name, prefix, limit)),
    findEffect: (destination, effectKey) => find(openEffects(destination), 'effect', toSafeId(effectKey)),
    async *listEffects(destination, state) {
      for await (const page of store.listUnfinished(openEffects(destination).name, state)) {
        for (const { data: stored, ...job } of page) {
          const data = parseJobData('effect', stored);
          yield { ...job, state, ...(data === undefined ? {} : { data }) };
        }
      }
    },
    async findEffectsByPrefix(prefix, limit) {
      const found = await Promise.all(
        (await store.listDestinations()).map(openEffects).map(async (queue) => {
          return await findAll(queue, 'effect', await store.findIds(queue.name, prefix, limit));
        }),
      );
      return found.flat().slice(0, limit);
    },
    async repeatEffect(destination, effectKey) {
      const queue = openEffects(destination);
      const job = await queue.getJob(toSafeId(effectKey));
      if (job?.id === undefined) return false;
      const state = await job.getState();
      if (state === 'delayed') return await unlessMoved(() => job.promote());
      if (state !== 'failed' && state !== 'completed') return false;
      const data = parseJobData('effect', job.data);
      await store.change(queue.name, job.id, {
        data: data === undefined ? undefined : encodeJobData(removeProgress(data)),
        delayMs: backend.clock.now() - job.timestamp,
      });
      return await unlessMoved(() =>
        job.retry(state, { resetAttemptsMade: true, resetAttemptsStarted: true }),
      );
    },
    removeEvent: (id) => remove(events, id),
    removeEffect: (destination, effectKey) => remove(openEffects(destination), effectKey),
    async close() {
      await Promise.all([queues.close(), store.close()]);
    },
  };
}

/** Removes the reserved slot, the obstacle, the last wait and the counted starts of a job that is repeated. */
function removeProgress({
  slotMs: _slotMs,
  restedStarts: _rested,
  obstacle: _obstacle,
  lastWait: _lastWait,
  queuedFollowers: _queued,
  ...job
}: EffectJob): EffectJob {
  return job;
}

/** Returns false when the job is removed, or in another state. */
async function unlessMoved(move: () => Promise<unknown>): Promise<boolean> {
  try {
    await move();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && movedCodes.includes(error.code)) return false;
    throw error;
  }
}

/** The connection is opened at the first call. */
function openJobStore(backend: Backend, use: ConnectionUse): JobStore {
  return backend.kind === 'redis' ? openRedisJobStore(backend, use) : openPostgresJobStore(backend, use);
}

async function remove(queue: BullQueue, id: string): Promise<boolean> {
  const job = await queue.getJob(toSafeId(id));
  // 0: a worker has it.
  return job !== undefined && (await queue.remove(toSafeId(id))) > 0;
}
