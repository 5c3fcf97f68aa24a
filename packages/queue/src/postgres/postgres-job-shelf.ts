import pg from 'pg';

import type { ConnectionUse, PostgresBackend } from '../backend.ts';
import type { JobShelf } from '../bullmq/job-shelf.ts';
import { bullSchema } from '../bullmq/queue-names.ts';

const FIRST_PAGE = 100;
const LARGEST_PAGE = 10_000;

/** What BullMQ has no call for, on PostgreSQL. */
export function openPostgresShelf(backend: PostgresBackend, use: ConnectionUse): JobShelf {
  const pool = new pg.Pool({ ...backend.poolConfig(use), max: 1 });
  pool.on('error', () => undefined); // The next call connects anew, and rejects if it can't.
  const table = `"${bullSchema(backend.namespace)}".job`;
  return {
    async *listIds(queueName, { fromMs, toMs }) {
      let last = { addedAtMs: String(toMs + 1), id: '' };
      // No index is made for this: each page reads the whole table, so that the later ones are larger.
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
    async findDueMs(queueName, id) {
      const { rows } = await pool.query<{ dueMs: string }>(
        `select process_at_ms as "dueMs" from ${table} where queue = $1 and id = $2 and state = 'delayed'`,
        [queueName, id],
      );
      return rows[0] === undefined ? undefined : Number(rows[0].dueMs);
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
