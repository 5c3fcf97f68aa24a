import pg from 'pg';
import { z } from 'zod';

import { readAcceptAnswers } from '../accept-answers.ts';
import type { PostgresBackend } from '../backend.ts';
import { jobOptions } from '../bullmq/job-options.ts';
import { type InboxStore, MAX_REFUSALS } from '../inbox-store.ts';
import type { Log } from '../log.ts';
import { createOutageLog } from '../outage-log.ts';
import { refusalSchema } from '../refusal-schema.ts';
import { acceptFunctionName } from './accept-function.ts';
import { createMarkCleaner } from './clean-marks.ts';
import { isPostgresDataError } from './is-data-error.ts';

/**
 * The accepting side on PostgreSQL: one call of our function is one round trip and one commit. Everything but
 * accepting has one connection of its own, so that no number of refusals and pings can take one from a delivery.
 */
export async function openPostgresInboxStore(
  backend: PostgresBackend,
  { log, clock }: { readonly log: Log; readonly clock: () => number },
): Promise<InboxStore> {
  const pool = new pg.Pool(backend.poolConfig('accept'));
  const side = new pg.Pool({ ...backend.poolConfig('accept'), max: 1 });
  const outage = createOutageLog(log, { store: backend.name, use: 'accept' });
  for (const each of [pool, side]) each.on('error', outage.failed);
  pool.on('connect', outage.recovered);
  const close = async (): Promise<void> => {
    await Promise.all([pool.end(), side.end()]);
  };
  try {
    await pool.query('select 1');
  } catch (error) {
    await close();
    throw error;
  }
  const cleanMarks = createMarkCleaner(pool, { namespace: backend.namespace, clock, log });
  const refusals = `"${backend.namespace}".refusals`;
  const options = JSON.stringify(jobOptions('event'));
  const accept = {
    name: 'accept',
    text: `select "${backend.namespace}".${acceptFunctionName}($1, $2, $3, $4, $5, $6, $7) as answers`,
  };

  return {
    maxInFlight: 2,
    async acceptGroup(group) {
      const nowMs = clock();
      const { rows } = await pool.query<{ answers: string }>(accept, [
        group.map(({ jobId }) => jobId),
        group.map(({ data }) => data),
        group.map(({ keepMs }) => nowMs + keepMs),
        group.map(({ announcedAs }) => announcedAs),
        nowMs,
        Date.now(),
        options,
      ]);
      cleanMarks();
      return readAcceptAnswers(rows[0]?.answers, group.length);
    },
    isDataError: isPostgresDataError,
    async recordRefusals(kept) {
      await side.query(
        `with added as (
           insert into ${refusals} (refusal)
           select refusal from unnest($1::text[]) with ordinality as asked (refusal, at) order by at
           returning id
         )
         delete from ${refusals} where id <= (select max(id) from added) - $2`,
        [kept.map((refusal) => JSON.stringify(refusal)), MAX_REFUSALS],
      );
    },
    async listRefusals(limit) {
      const { rows } = await side.query<{ refusal: string }>(
        `select refusal from ${refusals} order by id desc limit $1`,
        [Math.max(0, limit)],
      );
      return rows.map(({ refusal }) => z.parse(refusalSchema, JSON.parse(refusal)));
    },
    async ping() {
      const { rows } = await side.query<{ isReadOnly: boolean }>(
        `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
      );
      if (rows[0]?.isReadOnly !== false) throw new Error('this server takes no writes now');
    },
    close,
  };
}
