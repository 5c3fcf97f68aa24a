import type { PostgresBackend } from '../backend.ts';
import { openQueues } from '../bullmq/open-queues.ts';
import { listQueueNames } from '../bullmq/queue-names.ts';
import { silentLog } from '../log.ts';
import { prepareSchemas } from './prepare-schemas.ts';
import { withClient } from './with-client.ts';

/** Empties BullMQ's queues, drops every table of the namespace's schema and makes our own anew. */
export async function emptyPostgresNamespace(backend: PostgresBackend): Promise<void> {
  const { namespace } = backend;
  const queues = await openQueues(backend, 'work', silentLog);
  try {
    for (const name of listQueueNames()) await queues.open(name).obliterate({ force: true });
  } finally {
    await queues.close();
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
