import pg, { type Pool } from 'pg';
import { z } from 'zod';

import type { PostgresBackend } from '../backend.ts';
import { jobOptions } from '../bullmq/queues.ts';
import { describeError } from '../errors.ts';
import { type InboxStore, MAX_REFUSALS, parseAcceptAnswers, refusalSchema } from '../inbox-store.ts';
import type { Log } from '../log.ts';
import { isPostgresDataError, readPostgresTime } from './postgres-backend.ts';
import { acceptFunctionName } from './schema.ts';

/**
 * The accepting side on PostgreSQL: one function call is one round trip and one commit. All but accepting uses a
 * connection of its own, so that refusals and pings never take one from a delivery.
 */
export async function openPostgresInboxStore(
  backend: PostgresBackend,
  { log, clock }: { readonly log: Log; readonly clock: () => number },
): Promise<InboxStore> {
  const pool = new pg.Pool(backend.poolConfig('accept'));
  const side = new pg.Pool({ ...backend.poolConfig('accept'), max: 1 });
  const { outage } = backend;
  for (const each of [pool, side]) each.on('error', outage.failed);
  for (const each of [pool, side]) each.on('connect', outage.recovered);
  const close = async (): Promise<void> => {
    await Promise.all([pool.end(), side.end()]);
  };
  try {
    await pool.query('select 1');
  } catch (error) {
    await close();
    throw error;
  }
  const cleanExpired = createExpiryCleaner(pool, { namespace: backend.namespace, clock, log });
  const refusals = `"${backend.namespace}".refusals`;
  const options = JSON.stringify(jobOptions('event'));
  const accept = {
    name: 'accept',
    text: `select "${backend.namespace}".${acceptFunctionName}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as answers`,
  };

  return {
    maxInFlight: 2,
    async acceptGroup(group, { epoch, requests }) {
      const nowMs = clock();
      const { rows } = await pool.query<{ answers: string }>(accept, [
        group.map(({ jobId }) => jobId),
        group.map(({ data }) => data),
        group.map(({ keepMs }) => nowMs + keepMs),
        group.map(({ deliveryKey }) => deliveryKey),
        requests.map(({ after }) => after),
        requests.map(({ rank }) => rank),
        epoch,
        nowMs,
        Date.now(),
        options,
      ]);
      cleanExpired();
      return parseAcceptAnswers(rows[0]?.answers, group.length);
    },
    isDataError: isPostgresDataError,
    async recordRefusals(records) {
      await side.query(
        `with added as (
           insert into ${refusals} (refusal)
           select refusal from unnest($1::text[]) with ordinality as asked (refusal, at) order by at
           returning id
         )
         delete from ${refusals} where id <= (select max(id) from added) - $2`,
        [records.map((refusal) => JSON.stringify(refusal)), MAX_REFUSALS],
      );
    },
    async listRefusals(limit) {
      const { rows } = await side.query<{ refusal: string }>(
        `select refusal from ${refusals} order by id desc limit $1`,
        [Math.max(0, limit)],
      );
      return rows.map(({ refusal }) => z.parse(refusalSchema, JSON.parse(refusal)));
    },
    readClockMs: () => readPostgresTime(async (text) => await side.query(text)),
    async ping() {
      // A write: a server that is read-only, or has no room on its disk, still answers reads.
      await side.query(
        `insert into "${backend.namespace}".marks (key, expires_at_ms) values ($1, $2)
         on conflict (key) do update set expires_at_ms = excluded.expires_at_ms`,
        [PING_KEY, clock()],
      );
    },
    close,
  };
}

/** No job has an id with a colon. */
const PING_KEY = 'ping:';

const CLEAN_INTERVAL_MS = 60_000;
/** Rows that one statement deletes. */
const CLEAN_BATCH = 1000;

interface CleanerOptions {
  readonly namespace: string;
  /** Milliseconds since 1970; dedupe keys expire by it. */
  readonly clock: () => number;
  readonly log: Log;
  /** Times the cleaning; unlike `clock` it is never set back. */
  readonly nowMs?: () => number;
}

/**
 * Returns a function to call at each write. Once a minute it deletes expired dedupe keys and delivery ids in the
 * background, in small statements.
 */
export function createExpiryCleaner(
  pool: Pick<Pool, 'query'>,
  { namespace, clock, log, nowMs = () => performance.now() }: CleanerOptions,
): () => void {
  let startedMs = nowMs();
  let isCleaning = false;

  async function clean(name: string): Promise<void> {
    const table = `"${namespace}".${name}`;
    let deleted: number | null;
    do {
      // Skips rows that a write has locked: waiting for them could deadlock.
      ({ rowCount: deleted } = await pool.query(
        `delete from ${table} where key in
          (select key from ${table} where expires_at_ms <= $1 limit ${CLEAN_BATCH} for update skip locked)`,
        [clock()],
      ));
    } while (deleted === CLEAN_BATCH);
  }

  async function cleanAll(): Promise<void> {
    isCleaning = true;
    try {
      await clean('marks');
      await clean('announcements');
    } catch (error) {
      log.warn({ error: describeError(error) }, 'deleting expired dedupe keys failed');
    }
    isCleaning = false;
  }

  return () => {
    if (isCleaning || nowMs() - startedMs < CLEAN_INTERVAL_MS) return;
    startedMs = nowMs();
    void cleanAll();
  };
}
