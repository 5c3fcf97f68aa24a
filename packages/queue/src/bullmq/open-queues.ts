import { createPostgresBackend, createRedisBackend, type IQueueBackend, Queue } from 'bullmq';

import type { Backend, ConnectionUse, PostgresBackend, RedisBackend } from '../backend.ts';
import type { Log } from '../log.ts';
import { createOutageLog, type OutageLog } from '../outage-log.ts';
import { closeRedis } from '../redis/close-redis.ts';
import { withDeadline } from '../with-deadline.ts';
import { toBullConnection } from './postgres-connection.ts';
import { bullPrefix, queueNames } from './queue-names.ts';

const READY_WITHIN_MS = 5000;
const CLOSE_WITHIN_MS = 5000;

/** The most sessions of all queues that were opened together; those that are idle for ten seconds are closed. */
const QUEUE_SESSIONS = 4;

/** A BullMQ queue on either store. */
export type BullQueue = Queue<object, void, string, object, void, string, IQueueBackend, object>;

/** BullMQ queues of one namespace that share one connection (Redis) or one small pool (PostgreSQL). */
export interface Queues {
  open(name: string): BullQueue;
  /** Up to so many jobs are added one by one, more of them by BullMQ's own bulk. */
  readonly fewJobs: number;
  readonly outage: OutageLog;
  close(): Promise<void>;
}

/** Opens what the queues share. Rejects when the store can't be reached now. */
export async function openQueues(backend: Backend, use: ConnectionUse, log: Log): Promise<Queues> {
  const outage = createOutageLog(log, { store: backend.name, use });
  const shared =
    backend.kind === 'redis' ? shareRedis(backend, use) : sharePostgres(backend, use, outage.failed);
  const opened: BullQueue[] = [];
  const open = (name: string): BullQueue => {
    const queue = shared.open(name);
    queue.on('error', outage.failed);
    opened.push(queue);
    return queue;
  };
  const close = async (): Promise<void> => {
    // Without its store BullMQ's own close does not end.
    await withDeadline(Promise.all(opened.map((queue) => queue.close())), CLOSE_WITHIN_MS).catch(
      () => undefined,
    );
    await shared.release();
  };
  try {
    await withDeadline(open(queueNames.event).waitUntilReady(), READY_WITHIN_MS);
  } catch (error) {
    await close();
    throw error;
  }
  return { open, fewJobs: shared.fewJobs, outage, close };
}

function shareRedis(backend: RedisBackend, use: ConnectionUse) {
  const client = backend.connect(use);
  const options = { connection: client, prefix: bullPrefix(backend.namespace), skipVersionCheck: true };
  return {
    open: (name: string): BullQueue => new Queue(name, options, () => createRedisBackend(name, options)),
    // The client sends what is asked for in one turn in one go, and BullMQ's bulk costs more than that.
    fewJobs: Number.POSITIVE_INFINITY,
    release: () => closeRedis(client),
  };
}

/** The queues are siblings of one backend, which BullMQ makes for flows: the first one owns the pool. */
function sharePostgres(backend: PostgresBackend, use: ConnectionUse, onError: (error: unknown) => void) {
  const connection = toBullConnection(backend, use, QUEUE_SESSIONS);
  const owner = createPostgresBackend(queueNames.event, { connection });
  owner.on('error', onError);
  return {
    open: (name: string): BullQueue => new Queue(name, { connection }, () => owner.forQueue(name)),
    // BullMQ's bulk makes and drops two temporary tables: as long as some jobs alone.
    fewJobs: 5,
    release: () => withDeadline(owner.close(), CLOSE_WITHIN_MS).catch(() => undefined),
  };
}
