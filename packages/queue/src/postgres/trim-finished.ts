import type { PostgresBackend } from '../backend.ts';
import type { FinishedLimits } from '../bullmq/finished-limits.ts';
import { bullSchema } from '../bullmq/queue-names.ts';
import { withClient } from './with-client.ts';

const TRIM_AT_ONCE = 1000;

/**
 * Deletes the finished jobs of a queue that are more than its limits allow, oldest first. BullMQ's own count on
 * PostgreSQL reads every job that is to stay each time one ends, which with a hundred thousand of them takes seconds.
 */
export async function trimFinished(
  backend: PostgresBackend,
  queueName: string,
  limits: FinishedLimits,
): Promise<void> {
  const table = `"${bullSchema(backend.namespace)}".job`;
  await withClient(backend.poolConfig('work'), async (client) => {
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
              order by job.finished_at_ms limit ${TRIM_AT_ONCE} for update of job skip locked
           )`,
          [queueName, limits[state].count],
        ));
      } while (deleted === TRIM_AT_ONCE);
    }
  });
}
