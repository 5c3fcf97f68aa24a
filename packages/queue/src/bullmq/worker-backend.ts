import { setTimeout as pause } from 'node:timers/promises';

import {
  type BackendFactory,
  createRedisBackend,
  type IQueueBackend,
  type Job,
  PostgresConnection,
  PostgresQueueBackend,
} from 'bullmq';
import { z } from 'zod';

import type { Backend, PostgresBackend, RedisBackend } from '../backend.ts';
import type { LineHeads } from '../line-heads.ts';
import { closeRedis } from '../redis/redis-backend.ts';
import { bullPrefix, toBullConnection } from './queues.ts';
import { toStoreTimes, translateTimes } from './translate-times.ts';

const PAUSE_AFTER_ERROR_MS = 500;

/** The sessions of a PostgreSQL worker, without the one that listens. */
const WORKER_SESSIONS = 5;

/** BullMQ waits up to an hour after an error. */
const MAX_WAIT_SECONDS = 5;

/** A job that is to wait, with the changes for its next start. */
interface DelayedJob {
  readonly job: Pick<Job, 'id' | 'timestamp' | 'opts'>;
  /** The token of the worker that holds the lock. */
  readonly token: string;
  /** Milliseconds since 1970, whole. */
  readonly dueAtMs: number;
  readonly data?: object | undefined;
}

/** One worker's connection to a store: BullMQ's own calls and what BullMQ does not offer. */
export interface WorkerBackend {
  /** For the constructor of BullMQ's `Worker`. */
  readonly create: BackendFactory<IQueueBackend, object>;
  readonly prefix?: string;
  /**
   * Changes a job and delays it in one step, without using up an attempt. Rejects, with nothing changed, when this worker
   * no longer holds the lock.
   */
  delayJob(delayed: DelayedJob): Promise<void>;
  release(): Promise<void>;
}

export interface TakingRules {
  /**
   * Called right before a job is taken: BullMQ's worker checks whether it is paused, closing or full before it waits for a
   * job, and not when the wait is over.
   */
  readonly mayTake: () => boolean;
  /** No job is under way: one that is may have to wait, and keeps its place. */
  readonly isIdle: () => boolean;
}

export function openWorkerBackend(backend: Backend, rules: TakingRules): WorkerBackend {
  return backend.kind === 'redis' ? openOnRedis(backend, rules) : openOnPostgres(backend, rules);
}

/** BullMQ's answer when it is asked for a job: the job, its id, a limit that is not used, and when the next one is due. */
const takenSchema = z.tuple([z.object({ priority: z.coerce.number() })]).rest(z.unknown());
const noneSchema = z.tuple([]).or(z.tuple([z.null().or(z.undefined())]).rest(z.unknown()));

/** Notes how far the lines are when BullMQ asks for a job, alone or with the end of another one. */
function followLines<Calls extends IQueueBackend>(
  calls: Calls,
  queueName: string,
  { heads, isIdle }: Pick<TakingRules, 'isIdle'> & { readonly heads: LineHeads },
): Calls {
  const note = (found: unknown): void => {
    const taken = takenSchema.safeParse(found).data;
    if (taken !== undefined) {
      heads.taken(queueName, taken[0].priority);
      return;
    }
    const none = noneSchema.safeParse(found).data;
    // A job that is due later keeps its place, so the lines go on behind it.
    if (none !== undefined && !none[3] && isIdle()) heads.emptied(queueName);
  };
  const noteAfterEnd = <Ended extends { readonly result: unknown }>(
    ended: Ended,
    isAsked: boolean,
  ): Ended => {
    if (isAsked) note(ended.result);
    return ended;
  };
  const moveToActive = calls.moveToActive.bind(calls);
  calls.moveToActive = async (...parameters) => {
    const found = await moveToActive(...parameters);
    note(found);
    return found;
  };
  const moveToCompleted = calls.moveToCompleted.bind(calls);
  calls.moveToCompleted = async (...parameters) =>
    noteAfterEnd(await moveToCompleted(...parameters), parameters[4]);
  const moveToFailed = calls.moveToFailed.bind(calls);
  calls.moveToFailed = async (...parameters) =>
    noteAfterEnd(await moveToFailed(...parameters), parameters[4]);
  return calls;
}

function openOnRedis(backend: RedisBackend, { mayTake, isIdle }: TakingRules): WorkerBackend {
  const client = backend.connect('work');
  const prefix = bullPrefix(backend.namespace);
  let bull: ReturnType<typeof createRedisBackend> | undefined;
  return {
    prefix,
    create(name, options, factoryOptions) {
      const opened = createRedisBackend(name, { ...options, connection: client }, factoryOptions);
      const created = followLines(opened, name, { heads: backend.heads, isIdle });
      const execCommand = created.execCommand.bind(created);
      created.execCommand = (connection, command, values: unknown[]): unknown =>
        execCommand(connection, command, toStoreTimes(command, values, backend.clock));
      translateTimes(created, backend.clock);
      const moveToActive = created.moveToActive.bind(created);
      created.moveToActive = async (...parameters) => {
        if (mayTake()) return await moveToActive(...parameters);
        // The wait has taken the marker, of which there is one. It is put back to wake another worker.
        await client.zadd(`${prefix}:${name}:marker`, 0, '0');
        return [];
      };
      bull = created;
      return created;
    },
    async delayJob({ job, token, dueAtMs, data }) {
      if (bull === undefined) throw new Error('this worker has not been made');
      const forMs = Math.max(dueAtMs - backend.clock.now(), 0);
      await bull.moveToDelayed(job.id ?? '', Date.now(), forMs, token, {
        skipAttempt: true,
        fieldsToUpdate: {
          opts: JSON.stringify({ ...job.opts, delay: dueAtMs - job.timestamp }),
          ...(data === undefined ? {} : { data: JSON.stringify(data) }),
        },
      });
    },
    release: () => closeRedis(client),
  };
}

function openOnPostgres(backend: PostgresBackend, { mayTake, isIdle }: TakingRules): WorkerBackend {
  const settings = toBullConnection(backend, 'work', WORKER_SESSIONS);
  let opened: { readonly query: PostgresConnection['pool']['query']; readonly queue: string } | undefined;
  return {
    create(name, options) {
      const connection = new PostgresConnection(settings);
      const { pool } = connection;
      const query = pool.query.bind(pool);
      pool.query = async (text, values) => {
        const result = await query(text, values && toStoreTimes(text, values, backend.clock));
        for (const row of result.rows) {
          const { next_delay: dueMs } = row;
          if (typeof dueMs === 'string') row.next_delay = Number(dueMs) + backend.clock.machineAheadMs();
        }
        return result;
      };
      const bull = new PostgresQueueBackend(
        connection,
        name,
        { ...options, connection: settings },
        true,
        name,
      );
      const created = followLines(bull, name, { heads: backend.heads, isIdle });
      listenAfterLoss(created, connection);
      const moveToActive = created.moveToActive.bind(created);
      created.moveToActive = async (...parameters) => {
        if (!mayTake()) return [];
        try {
          return await moveToActive(...parameters);
        } catch (error) {
          // BullMQ retries at once, which would load a restarting server with hundreds of requests per second.
          await pause(PAUSE_AFTER_ERROR_MS, undefined, { ref: false });
          throw error;
        }
      };
      opened = { query, queue: name };
      return created;
    },
    async delayJob({ job, token, dueAtMs, data }) {
      if (opened === undefined) throw new Error('this worker has not been made');
      const { rows } = await opened.query(delayJobSql, [
        opened.queue,
        job.id ?? '',
        token,
        dueAtMs,
        Math.max(dueAtMs - backend.clock.now(), 0),
        data === undefined ? null : JSON.stringify(data),
      ]);
      if (rows.length === 0) throw new Error('the lock of the job is lost');
    },
    release: () => Promise.resolve(),
  };
}

/**
 * A session that breaks while its LISTEN is under way counts as one that listens in BullMQ 6.7.0: the worker would hear of
 * no job any more, and wait on the broken session. Here its next wait, after five seconds at most, listens again.
 */
function listenAfterLoss(calls: IQueueBackend, connection: PostgresConnection): void {
  let isLost = false;
  connection.on('listenerinvalidated', () => {
    isLost = true;
  });
  const waitForJob = calls.waitForJob.bind(calls);
  calls.waitForJob = async (seconds) => {
    if (isLost) {
      isLost = false;
      await calls.reconnectBlocking();
    }
    return await waitForJob(Math.min(seconds, MAX_WAIT_SECONDS));
  };
}

/** BullMQ's function runs after the row is changed; when it raises, both are undone. */
const delayJobSql = `
  with changed as (
    update job
       set data = coalesce($6::jsonb, data),
           opts = opts || jsonb_build_object('delay', $4::bigint - added_at_ms)
     where queue = $1 and id = $2 and state = 'active' and lock_token = $3
    returning id
  )
  select move_to_delayed($1, $2, $3, $4::bigint, $5::bigint, true, null, null) from changed`;
