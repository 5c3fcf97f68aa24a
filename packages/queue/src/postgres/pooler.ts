import pg, { type ClientConfig } from 'pg';

import { bullSchema } from '../bullmq/queues.ts';
import { describeError } from '../errors.ts';

/**
 * Refuses a pooler in between that takes from sessions what they need: BullMQ names its schema in the settings at the
 * start of a session and listens in one, and what a session has prepared must be there at its next query.
 */
export async function refusePooler(config: ClientConfig, namespace: string): Promise<void> {
  const schema = bullSchema(namespace);
  const options = `${config.options ?? ''} -c search_path="${schema}"`.trim();
  const limits = { connectionTimeoutMillis: 5000, statement_timeout: 30_000, query_timeout: 30_000 };
  const clients = [1, 2].map(() => new pg.Client({ ...config, ...limits, options }));
  const pids: number[] = [];
  try {
    for (const client of clients) {
      client.on('error', () => undefined); // The running query rejects as well.
      await client.connect().catch(explainRefusal);
    }
    // A pooler gives the session that was used last, or each in turn: then pids are equal, or change.
    for (const client of [...clients, ...clients]) {
      const { pid, path } = await readSession(client);
      if (path !== schema) throw new Error(SETTINGS);
      pids.push(pid);
    }
  } finally {
    await Promise.allSettled(clients.map((client) => client.end())); // They may not be established.
  }
  if (pids[0] === pids[1] || pids[0] !== pids[2] || pids[1] !== pids[3]) throw new Error(SHARED);
}

const SHARED =
  'a pooler is in between, such as PgBouncer in transaction mode, and a connection has no session of its own: ' +
  'use session mode or the server itself';

const SETTINGS =
  'a pooler is in between, such as PgBouncer, and a session does not get the settings of its start: ' +
  'use the server itself, or session mode as docs/stores.md has it';

function explainRefusal(error: unknown): never {
  const text = describeError(error);
  throw /unsupported startup parameter/.test(text)
    ? new Error(`${SETTINGS} (${text})`, { cause: error })
    : error;
}

async function readSession(client: pg.Client): Promise<{ readonly pid: number; readonly path: string }> {
  const { rows } = await client.query<{ pid: number; path: string }>(
    `select pg_backend_pid() as pid, trim(split_part(current_setting('search_path'), ',', 1), ' "') as path`,
  );
  return rows[0] ?? { pid: 0, path: '' };
}
