import type { PoolConfig } from 'pg';

import type { ConnectionUse, PostgresBackend } from '../backend.ts';
import { describeError } from '../describe-error.ts';
import type { Log } from '../log.ts';
import { toPoolConfig } from './pool-config.ts';
import { prepareNamespace } from './prepare-schemas.ts';

/** Opens a PostgreSQL server and makes our tables and BullMQ's. */
export async function openPostgresBackend(
  address: { readonly url: string; readonly name: string },
  { namespace }: { readonly namespace: string; readonly log: Log },
): Promise<PostgresBackend> {
  const { url, name } = address;
  const poolConfig = (use: ConnectionUse): PoolConfig => toPoolConfig(url, use);
  try {
    await prepareNamespace({ ...poolConfig('work'), connectionTimeoutMillis: 5000 }, namespace);
  } catch (error) {
    throw new Error(
      `PostgreSQL at ${name} can't be used: ${describeError(error)}. ` +
        'Check the queue address (QUEUE_URL), that the server runs, and that this user may create schemas.',
      { cause: error },
    );
  }
  return { kind: 'postgres', name, namespace, poolConfig, close: () => Promise.resolve() };
}
