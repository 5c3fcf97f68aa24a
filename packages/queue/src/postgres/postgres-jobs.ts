import pg from 'pg';

import type { ConnectionUse, PostgresBackend } from '../backend.ts';
import { bullSchema, EFFECTS_PREFIX } from '../bullmq/queues.ts';
import type { JobStore, ReadJob } from '../job-store.ts';
import { withPostgresClient } from './postgres-backend.ts';

/** How long finished jobs of a queue are kept, and how many. */
export interface FinishedLimits {
  readonly completed: FinishedLimit;
  readonly failed: FinishedLimit;
}

export interface FinishedLimit {
  readonly ageSeconds: number;
  readonly count: number;
}

const FIRST_PAGE = 100;

const LARGEST_PAGE = 10_000;

const UNFINISHED_PAGE = 1000;

/** The column by which jobs in a state are taken, before their number. BullMQ has an index for each but the last. */
const ORDER_OF = { delayed: 'process_at_ms', waiting: 'priority', active: 'priority' } as const;

interface UnfinishedRow {
  readonly id: string;
  readonly data: unknown;
  readonly addedAtMs: string;
  readonly startedTimes: number;
  readonly dueMs: string | null;
  readonly first: string | number;
  readonly seq: string;
}

interface ReadRow {
  readonly id: string;
  readonly data: unknown;
  readonly state: ReadJob['state'];
  readonly addedAtMs: string;
  readonly finishedAtMs: string | null;
  readonly startedTimes: number;
  readonly dueMs: string | null;
  readonly cause: string | null;
}

function toReadJob({
  id,
  data,
  state,
  addedAtMs,
  finishedAtMs,
  startedTimes,
  dueMs,
  cause,
}: ReadRow): ReadJob {
  return {
    id,
    state,
    data,
    addedAtMs: Number(addedAtMs),
    startedTimes,
    ...(finishedAtMs === null ? {} : { finishedAtMs: Number(finishedAtMs) }),
    ...(state === 'delayed' && dueMs !== null ? { dueAtMs: Number(dueMs) } : {}),
    ...(state === 'failed' ? { cause: cause ?? '' } : {}),
  };
}

/** Reads and changes jobs on PostgreSQL beyond what BullMQ offers. */
export function openPostgresJobStore(backend: PostgresBackend, use: ConnectionUse): JobStore {
  const pool = new pg.Pool({ ...backend.poolConfig(use), max: 1 });
  pool.on('error', () => undefined); // The next call connects anew, and rejects if it can't.
  const table = `"${bullSchema(backend.namespace)}".job`;
  return {
    async *listIds(queueName, { fromMs, toMs }) {
      let last = { addedAtMs: String(toMs + 1), id: '' };
      // There is no index for this, so each page reads the whole table. Later pages are larger.
      for (let size = FIRST_PAGE; ; size = Math.min(size * 10, LARGEST_PAGE)) {
        const { rows } = await pool.query<typeof last>(
          `select id, added_at_ms as "addedAtMs" from ${table}
            where queue = $1 and added_at_ms >= $2 and (added_at_ms, id) < ($3::bigint, $4)
            order by added_at_ms desc, id desc limit $5`,
          [queueName, fromMs, last.addedAtMs, last.id, size],
        );
        if (rows.length > 0) yield rows.map(({ id }) => id);
        last = rows.at(-1) ?? last;
        if (rows.length < size) return;
      }
    },
    async listDestinations() {
      // Skips from one queue to the next in the index of the jobs, instead of reading all of them.
      const { rows } = await pool.query<{ queue: string | null }>(
        `with recursive found(queue) as (
           select min(queue) from ${table} where queue > $1
           union all
           select (select min(job.queue) from ${table} job where job.queue > found.queue)
             from found where found.queue is not null
         ) select queue from found`,
        [EFFECTS_PREFIX],
      );
      return rows.flatMap(({ queue }) =>
        queue?.startsWith(EFFECTS_PREFIX) === true ? [queue.slice(EFFECTS_PREFIX.length)] : [],
      );
    },
    async *listUnfinished(queueName, state) {
      const first = ORDER_OF[state];
      let last: { first: string | number; seq: string } = { first: 0, seq: '0' };
      for (let isFirst = true; ; isFirst = false) {
        const { rows } = await pool.query<UnfinishedRow>(
          `select id, data, added_at_ms as "addedAtMs", attempts_started as "startedTimes",
              process_at_ms as "dueMs", ${first} as first, seq
             from ${table}
            where queue = $1 and state = '${state}' and ($2 or (${first}, seq) > ($3::bigint, $4::bigint))
            order by ${first}, seq limit ${UNFINISHED_PAGE}`,
          [queueName, isFirst, last.first, last.seq],
        );
        yield rows.map(({ id, data, addedAtMs, startedTimes, dueMs }) => ({
          id,
          data,
          addedAtMs: Number(addedAtMs),
          startedTimes,
          ...(state === 'delayed' && dueMs !== null ? { dueAtMs: Number(dueMs) } : {}),
        }));
        last = rows.at(-1) ?? last;
        if (rows.length < UNFINISHED_PAGE) return;
      }
    },
    async findIds(queueName, prefix, limit) {
      const { rows } = await pool.query<{ id: string }>(
        `select id from ${table} where queue = $1 and starts_with(id, $2) limit $3`,
        [queueName, prefix, limit],
      );
      return rows.map(({ id }) => id);
    },
    async read(queueName, ids) {
      const { rows } = await pool.query<ReadRow>(
        `select id, data, state, added_at_ms as "addedAtMs", finished_at_ms as "finishedAtMs",
            attempts_started as "startedTimes", process_at_ms as "dueMs", failed_reason as cause
           from ${table} where queue = $1 and id = any ($2)`,
        [queueName, ids],
      );
      const found = new Map(rows.map((row) => [row.id, toReadJob(row)]));
      return ids.map((id) => found.get(id));
    },
    async change(queueName, id, { data, delayMs }) {
      await pool.query(
        `update ${table} set data = coalesce($3::jsonb, data), opts = opts || jsonb_build_object('delay', $4::bigint)
          where queue = $1 and id = $2`,
        [queueName, id, data === undefined ? null : JSON.stringify(data), delayMs],
      );
    },
    close: () => pool.end(),
  };
}

const TRIM_BATCH = 1000;

/**
 * Deletes the oldest finished jobs of a queue above its limits. BullMQ's own limit on PostgreSQL reads each job that stays
 * whenever one ends, which takes seconds with a hundred thousand of them.
 */
export async function trimFinished(
  backend: PostgresBackend,
  queueName: string,
  limits: FinishedLimits,
): Promise<void> {
  const table = `"${bullSchema(backend.namespace)}".job`;
  await withPostgresClient(backend.poolConfig('work'), async (client) => {
    for (const state of ['completed', 'failed'] as const) {
      let deleted: number | null;
      do {
        ({ rowCount: deleted } = await client.query(
          `with last as (
             select finished_at_ms, seq from ${table} where queue = $1 and state = '${state}'
              order by finished_at_ms desc, seq desc offset $2 limit 1
           )
           delete from ${table} where queue = $1 and id in (
             select id from ${table} as job, last
              where job.queue = $1 and job.state = '${state}'
                and (job.finished_at_ms, job.seq) <= (last.finished_at_ms, last.seq)
              order by job.finished_at_ms limit ${TRIM_BATCH} for update of job skip locked
           )`,
          [queueName, limits[state].count],
        ));
      } while (deleted === TRIM_BATCH);
    }
  });
}
