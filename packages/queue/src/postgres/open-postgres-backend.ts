import type { PoolConfig } from 'pg';

import type { ConnectionUse, PostgresBackend } from '../backend.ts';
import { describeError } from '../describe-error.ts';
import type { Log } from '../log.ts';
import { checkPostgresSettings } from './check-postgres-settings.ts';
import { toPoolConfig } from './pool-config.ts';
import { prepareSchemas } from './prepare-schemas.ts';
import { withClient } from './with-client.ts';

/** Opens a PostgreSQL server, makes our tables and BullMQ's, and warns when its settings could lose jobs. */
export async function openPostgresBackend(
  address: { readonly url: string; readonly name: string },
  { namespace, log }: { readonly namespace: string; readonly log: Log },
): Promise<PostgresBackend> {
  const { url, name } = address;
  const poolConfig = (use: ConnectionUse): PoolConfig => toPoolConfig(url, use);
  try {
    await withClient({ ...poolConfig('work'), connectionTimeoutMillis: 5000 }, async (client) => {
      await prepareSchemas(client, namespace);
      await checkPostgresSettings(client, { name, log });
    });
  } catch (error) {
    throw new Error(
      `PostgreSQL at ${name} can't be used: ${describeError(error)}. ` +
        'Check the queue address (QUEUE_URL), that the server runs, and that this user may create schemas.',
      { cause: error },
    );
  }
  return { kind: 'postgres', name, namespace, poolConfig, close: () => Promise.resolve() };
}
