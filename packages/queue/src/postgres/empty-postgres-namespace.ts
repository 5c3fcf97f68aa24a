import type { PostgresBackend } from '../backend.ts';
import { PostgresQueue, toBullConnection } from '../bullmq/postgres-classes.ts';
import { queueNames } from '../bullmq/queue-names.ts';
import { prepareSchemas } from './prepare-schemas.ts';
import { withClient } from './with-client.ts';

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
  await withClient(backend.poolConfig('work'), async (client) => {
    const { rows } = await client.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname = $1`,
      [namespace],
    );
    if (rows.length > 0)
      await client.query(`drop table ${rows.map(({ table }) => table).join(', ')} cascade`);
    await prepareSchemas(client, namespace);
  });
}
