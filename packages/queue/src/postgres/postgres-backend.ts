import pg, { type Client, type ClientConfig, type PoolConfig } from 'pg';
import { z } from 'zod';

import type { ConnectionUse, PostgresBackend } from '../backend.ts';
import { bullSchema, openQueues } from '../bullmq/queues.ts';
import { describeError } from '../errors.ts';
import { createLineHeads } from '../line-heads.ts';
import { createOutageLog, type Log, type OutageLog } from '../log.ts';
import { openStoreClock, type StoreClock } from '../store-clock.ts';
import { refusePooler } from './pooler.ts';
import { prepareSchemas } from './schema.ts';
import { isRefusal, readTlsSettings } from './tls.ts';

/** Opens a PostgreSQL server, creates missing tables, and warns when its settings could lose jobs. */
export async function openPostgresBackend(
  address: { readonly url: string; readonly name: string },
  { namespace, log }: { readonly namespace: string; readonly log: Log },
): Promise<PostgresBackend> {
  const { url, name } = address;
  let poolConfig: PostgresBackend['poolConfig'];
  const outage = createOutageLog(log, { store: name });
  let clock: StoreClock;
  try {
    poolConfig = await choosePoolConfig(url);
    await refusePooler(poolConfig('work'), namespace);
    const config = { ...poolConfig('work'), connectionTimeoutMillis: 5000 };
    clock = await withPostgresClient(config, async (client) => {
      await prepareSchemas(client, namespace);
      await checkPostgresSettings(client, { name, log });
      return await openPostgresClock(client, { name, log, outage });
    });
  } catch (error) {
    throw new Error(
      `PostgreSQL at ${name} can't be used: ${describeError(error)}. ` +
        'Check the queue address (QUEUE_URL), that the server runs, and that this user may create schemas.',
      { cause: error },
    );
  }
  return {
    kind: 'postgres',
    name,
    namespace,
    clock,
    outage,
    heads: createLineHeads(),
    poolConfig,
    close: () => Promise.resolve(),
  };
}

const useSettings: Record<ConnectionUse, PoolConfig> = {
  // The server's own timeout ends sessions whose client has given up; otherwise they would pile up behind a lock.
  accept: { query_timeout: 800, statement_timeout: 800, connectionTimeoutMillis: 800, max: 4 },
  work: { connectionTimeoutMillis: 10_000, max: 10 },
};

/**
 * A connection whose end does not end the process: a pool listens for errors of a connection only while it is idle, and one that
 * breaks between two queries of its user has no listener. The next query rejects.
 */
class PooledClient extends pg.Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** The settings of each pool. */
export function poolSettings(use: ConnectionUse): PoolConfig {
  return {
    ...useSettings[use],
    application_name: `aftermeet-${use}`,
    keepAlive: true,
    Client: PooledClient,
  };
}

/** The settings of an address, with or without TLS as the server has it where `sslmode` leaves that open. */
async function choosePoolConfig(address: string): Promise<PostgresBackend['poolConfig']> {
  const { url, choices } = await readTlsSettings(address);
  const configs = choices.map((tls) => (use: ConnectionUse) => ({ ...toPoolConfig(url, use), ...tls }));
  for (const config of configs.slice(0, -1)) {
    try {
      await withPostgresClient({ ...config('work'), connectionTimeoutMillis: 5000 }, async () => {});
      return config;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return configs.at(-1) ?? ((use) => toPoolConfig(url, use));
}

/**
 * Pool settings for an address. `options` of the address become a setting of their own, because pg would let them
 * replace the search path that BullMQ sets there.
 */
function toPoolConfig(url: string, use: ConnectionUse): PoolConfig {
  const parsed = new URL(url);
  const options = parsed.searchParams.get('options');
  if (options === null) return { ...poolSettings(use), connectionString: url };
  parsed.searchParams.delete('options');
  return { ...poolSettings(use), connectionString: parsed.href, options };
}

/** What happens when a setting is off. */
const requiredSettings: Readonly<Record<string, string>> = {
  fsync: 'may be damaged when its machine crashes',
  full_page_writes: 'may be damaged when its machine crashes',
  synchronous_commit: 'forgets the last accepted deliveries when it crashes',
};

/** Warns when the server confirms writes that are not on the disk yet. */
async function checkPostgresSettings(
  client: Pick<Client, 'query'>,
  { name, log }: { readonly name: string; readonly log: Log },
): Promise<void> {
  const { rows } = await client.query<{ setting: string }>(
    `select name as setting from pg_settings where name = any ($1) and setting = 'off' order by name`,
    [Object.keys(requiredSettings)],
  );
  for (const { setting } of rows) {
    log.warn(
      { store: name, found: 'off' },
      `this PostgreSQL ${requiredSettings[setting]}: set ${setting} = on`,
    );
  }
}

export function openPostgresClock(
  client: Pick<Client, 'query'>,
  options: { readonly name: string; readonly log: Log; readonly outage: OutageLog },
): Promise<StoreClock> {
  return openStoreClock(() => readPostgresTime(async (text) => await client.query(text)), options);
}

/** The server's clock, milliseconds since 1970. */
export async function readPostgresTime(
  query: (text: string) => Promise<{ readonly rows: readonly unknown[] }>,
): Promise<number> {
  const { rows } = await query('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms');
  return timeSchema.parse(rows)[0].now_ms;
}

const timeSchema = z.tuple([z.object({ now_ms: z.number() })]);

/** Connects, calls `use`, and ends the connection in any case. */
export async function withPostgresClient<Result>(
  config: ClientConfig,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...config, query_timeout: 30_000 });
  client.on('error', () => undefined); // The query that runs rejects as well.
  try {
    await client.connect();
    return await use(client);
  } finally {
    // Rejects when the connection was never established.
    await client.end().catch(() => undefined);
  }
}

/** Class 22 is a value that PostgreSQL cannot store, class 23 one that violates a constraint. */
export function isPostgresDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

/** Empties BullMQ's queues, drops every table of the namespace's schema and creates ours again. */
export async function emptyPostgresNamespace(backend: PostgresBackend): Promise<void> {
  const { namespace } = backend;
  const queues = await openQueues(backend, 'work');
  try {
    const names = new Set<string>();
    await withPostgresClient(backend.poolConfig('work'), async (client) => {
      const { rows } = await client.query<{ queue: string }>(
        `select distinct queue from "${bullSchema(namespace)}".meta
         union select distinct queue from "${bullSchema(namespace)}".job`,
      );
      for (const { queue } of rows) names.add(queue);
    });
    for (const name of names) await queues.open(name).obliterate({ force: true });
  } finally {
    await queues.close();
  }
  await withPostgresClient(backend.poolConfig('work'), async (client) => {
    const { rows } = await client.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname = $1`,
      [namespace],
    );
    if (rows.length > 0)
      await client.query(`drop table ${rows.map(({ table }) => table).join(', ')} cascade`);
    await prepareSchemas(client, namespace);
  });
}
