import {
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type PostgresPoolConfig,
  Queue,
} from 'bullmq';

import type { Backend, ConnectionUse, PostgresBackend, RedisBackend } from '../backend.ts';
import { jobCatalog, type JobName } from '../job-catalog.ts';
import type { LineHeads } from '../line-heads.ts';
import type { OutageLog } from '../log.ts';
import { closeRedis } from '../redis/redis-backend.ts';
import { withDeadline } from '../with-deadline.ts';

const READY_WITHIN_MS = 5000;
const CLOSE_WITHIN_MS = 5000;

/** Waits are longer than clocks that differ by less. */
const SMALL_DIFFERENCE_MS = 100;

/** BullMQ keeps a stream of what happens in a queue, by default 10,000 entries. No process of ours reads it. */
const streams = { events: { maxLen: 100 } };

/** The maximum of sessions that queues opened together share; idle ones are closed after ten seconds. */
const MAX_SESSIONS = 4;

/** A BullMQ queue on either store. */
export type BullQueue = Queue<object, void, string, object, void, string, IQueueBackend, object>;

/** BullMQ queues of one namespace that share one connection (Redis) or one small pool (PostgreSQL). */
export interface Queues {
  /** The same queue at every call. */
  open(name: string): BullQueue;
  /** Remembers in the store that effects of this destination are added. */
  noteDestination(destination: string): Promise<void>;
  /** Up to this number jobs are added one by one, above it by BullMQ's bulk. */
  readonly maxSingleAdds: number;
  readonly outage: OutageLog;
  readonly heads: LineHeads;
  /** The option with the time of a new job, where the machine's clock, which is the default, is not that of the store. */
  readonly timeJob: () => { readonly timestamp?: number };
  close(): Promise<void>;
}

/** Rejects when the store can't be reached now. */
export async function openQueues(backend: Backend, use: ConnectionUse): Promise<Queues> {
  const { outage } = backend;
  const shared =
    backend.kind === 'redis' ? shareRedis(backend, use) : sharePostgres(backend, use, outage.failed);
  const opened = new Map<string, BullQueue>();
  const open = (name: string): BullQueue => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const queue = shared.open(name);
    queue.on('error', outage.failed);
    opened.set(name, queue);
    return queue;
  };
  const close = async (): Promise<void> => {
    // BullMQ's own close does not end while the store is unavailable.
    await withDeadline(
      Promise.all([...opened.values()].map((queue) => queue.close())),
      CLOSE_WITHIN_MS,
    ).catch(() => undefined);
    await shared.release();
  };
  try {
    await withDeadline(open(queueNames.event).waitUntilReady(), READY_WITHIN_MS);
  } catch (error) {
    await close();
    throw error;
  }
  const { maxSingleAdds, noteDestination } = shared;
  const { now, machineAheadMs } = backend.clock;
  const timeJob = () => (Math.abs(machineAheadMs()) > SMALL_DIFFERENCE_MS ? { timestamp: now() } : {});
  const { heads } = backend;
  return { open, noteDestination, maxSingleAdds, outage, heads, timeJob, close };
}

function shareRedis(backend: RedisBackend, use: ConnectionUse) {
  const client = backend.connect(use);
  const prefix = bullPrefix(backend.namespace);
  const options = { connection: client, prefix, skipVersionCheck: true, streams };
  return {
    open: (name: string): BullQueue => new Queue(name, options, () => createRedisBackend(name, options)),
    noteDestination: async (destination: string) =>
      void (await client.sadd(redisDestinationsKey(backend.namespace), destination)),
    // The client pipelines the commands of one tick, which costs less than BullMQ's bulk.
    maxSingleAdds: Number.POSITIVE_INFINITY,
    release: () => closeRedis(client),
  };
}

/** The queues share the pool of the first one, as BullMQ does for flows. */
function sharePostgres(backend: PostgresBackend, use: ConnectionUse, onError: (error: unknown) => void) {
  const connection = toBullConnection(backend, use, MAX_SESSIONS);
  const owner = createPostgresBackend(queueNames.event, { connection });
  owner.on('error', onError);
  return {
    open: (name: string): BullQueue => new Queue(name, { connection, streams }, () => owner.forQueue(name)),
    // The jobs tell.
    noteDestination: async () => {},
    // BullMQ's bulk creates and drops two temporary tables, which takes as long as some single adds.
    maxSingleAdds: 5,
    release: () => withDeadline(owner.close(), CLOSE_WITHIN_MS).catch(() => undefined),
  };
}

/** The names of BullMQ's queues, for the kinds of job that have one queue. */
export const queueNames = { event: 'events', schedule: 'schedules' } as const;

/** The jobs of a kind; for effects, the jobs of one destination. */
export interface JobSelection<Name extends JobName = JobName> {
  readonly name: Name;
  /** Required for effects, which have one queue per destination. */
  readonly destination?: string | undefined;
}

/** The name of the BullMQ queue of these jobs. */
export function nameQueue({ name, destination }: JobSelection): string {
  if (name !== 'effect') return queueNames[name];
  if (destination === undefined) throw new Error('effects have a queue for each destination: name one');
  return `${EFFECTS_PREFIX}${destination}`;
}

/** The beginning of the names of the queues of effects. */
export const EFFECTS_PREFIX = 'effects-';

/** The set of the destinations that effects were added for; on PostgreSQL the jobs tell. */
export function redisDestinationsKey(namespace: string): string {
  return `${bullPrefix(namespace)}:destinations`;
}

/** The PostgreSQL schema of BullMQ's tables. */
export function bullSchema(namespace: string): string {
  return `${namespace}_queue`;
}

/** The prefix of BullMQ's Redis keys; the braces keep a namespace on one node of a cluster. */
export function bullPrefix(namespace: string): string {
  return `{${namespace}}`;
}

/**
 * The settings of a BullMQ connection with at most `max` sessions. With a pool instead of settings BullMQ would neither
 * set the search path to the schema nor check that schema's version.
 */
export function toBullConnection(
  backend: PostgresBackend,
  use: ConnectionUse,
  max: number,
): PostgresPoolConfig {
  return {
    ...Object.fromEntries(Object.entries(backend.poolConfig(use))),
    max,
    schema: bullSchema(backend.namespace),
  };
}

/** The options of each job of a kind; the worker implements the `capped` backoff with `retryDelayMs`. */
export function jobOptions(name: JobName) {
  return { attempts: jobCatalog[name].attempts, backoff: { type: 'capped' } };
}

/** BullMQ takes no higher number. */
export const MAX_PRIORITY = 2 ** 21 - 1;

/**
 * The priority of a job in BullMQ, where 1 is the highest of those that have one. Behind the highest of all the order is
 * that of adding.
 */
export function toPriority(place: number): number {
  return Math.min(Math.max(1, Math.round(place)), MAX_PRIORITY);
}
