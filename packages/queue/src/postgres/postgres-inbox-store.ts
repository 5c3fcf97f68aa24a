import pg from 'pg';
import { z } from 'zod';

import type { PostgresBackend } from '../backend.ts';
import { openJobStore } from '../bullmq/job-store.ts';
import { type Acceptance, type InboxStore, MAX_REFUSALS } from '../inbox-store.ts';
import type { Log } from '../log.ts';
import { createOutageLog } from '../outage-log.ts';
import { refusalSchema } from '../refusal-schema.ts';
import { createGroupedWriter } from './grouped-writer.ts';
import { createPostgresFingerprints } from './postgres-fingerprints.ts';

/** The accepting side on PostgreSQL. Deliveries that arrive during a write go together in the next. */
export async function openPostgresInboxStore(
  backend: PostgresBackend,
  { log, clock }: { readonly log: Log; readonly clock: () => number },
): Promise<InboxStore> {
  const pool = new pg.Pool(backend.poolConfig('accept'));
  const outage = createOutageLog(log, { store: backend.name, use: 'accept' });
  pool.on('error', outage.failed);
  pool.on('connect', outage.recovered);
  const jobs = await openJobStore(backend, 'event', 'accept', log).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const fingerprints = createPostgresFingerprints(pool, { namespace: backend.namespace, clock, log });
  const refusals = `"${backend.namespace}".refusals`;

  async function acceptGroup(group: readonly Acceptance[]): Promise<('accepted' | 'duplicate')[]> {
    const known = await fingerprints.findKnown(
      group.flatMap((one) => one.fingerprints.map(({ key }) => key)),
    );
    const isKnown = ({ fingerprints: marks }: Acceptance): boolean => marks.some(({ key }) => known.has(key));
    const fresh = group.filter((one) => !isKnown(one));
    await jobs.addAll(fresh.map(({ jobId, job }) => ({ id: jobId, data: job })));
    // Only now: a crash before this line costs a repeated no-op, a crash after it loses nothing.
    await fingerprints.mark(fresh.flatMap((one) => one.fingerprints));
    return group.map((one) => (isKnown(one) ? 'duplicate' : 'accepted'));
  }
  const writer = createGroupedWriter(acceptGroup, { maxGroup: 128, maxInFlight: 2 });

  return {
    accept: (acceptance, deadlineMs) => writer.write(acceptance, deadlineMs),
    async recordRefusal(refusal) {
      await pool.query(
        `with added as (insert into ${refusals} (refusal) values ($1) returning id)
         delete from ${refusals} using added where ${refusals}.id <= added.id - $2`,
        [JSON.stringify(refusal), MAX_REFUSALS],
      );
    },
    async listRefusals(limit) {
      const { rows } = await pool.query<{ refusal: string }>(
        `select refusal from ${refusals} order by id desc limit $1`,
        [Math.max(0, limit)],
      );
      return rows.map(({ refusal }) => z.parse(refusalSchema, JSON.parse(refusal)));
    },
    async ping() {
      await pool.query('select 1');
    },
    async close() {
      await writer.close();
      await jobs.close();
      await pool.end();
    },
  };
}
