import pg from 'pg';

import type { PostgresBackend } from '../backend.ts';
import { PostgresQueue, toBullConnection } from '../bullmq/postgres-classes.ts';
import { queueNames } from '../bullmq/queue-names.ts';
import { prepareSchemas } from './prepare-schemas.ts';

/** Empties BullMQ's queues, drops every table of the namespace's schema and makes our own anew. */
export async function emptyPostgresNamespace(backend: PostgresBackend): Promise<void> {
  const { namespace } = backend;
  for (const name of Object.values(queueNames)) {
    const queue = new PostgresQueue(name, { connection: toBullConnection(backend, 'work') });
    queue.on('error', () => undefined); // The call that runs rejects as well.
    try {
      await queue.obliterate({ force: true });
    } finally {
      await queue.close();
    }
  }
  const client = new pg.Client(backend.poolConfig('work'));
  client.on('error', () => undefined); // The query that runs rejects as well.
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname = $1`,
      [namespace],
    );
    if (rows.length > 0)
      await client.query(`drop table ${rows.map(({ table }) => table).join(', ')} cascade`);
    await prepareSchemas(client, namespace);
  } finally {
    await client.end();
  }
}
