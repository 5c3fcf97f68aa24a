import { describeError, type Log, type PostgresBackend } from '@aftermeet/queue';
import { Client, type ClientBase, Pool, type QueryConfig, type QueryResult } from 'pg';

import { type Closable, closeWriters } from './close-writers.ts';
import { createGate } from './create-gate.ts';
import { endWithin } from './end-within.ts';
import { outlastOutage } from './outlast-outage.ts';
import { prepareObjects, type SchemaObject } from './prepare-objects.ts';

const closeWithinMs = 1000;
const sweptAtOnce = 1000;

/** A store's own connections to PostgreSQL. */
export interface PostgresLink {
  /** One try; what hangs is given up after twelve seconds. */
  ask(text: string, values?: readonly unknown[]): Promise<QueryResult>;
  /** Does the query again while the server is away, for half a minute: for what can be done twice. */
  outlast(query: QueryConfig): Promise<QueryResult>;
  /** Does a statement again that deletes at most `$1` rows, until it finds fewer or the link is closed. */
  sweep(text: string, values: readonly unknown[]): Promise<void>;
  /** Lets the writers end when the server answers. One that is away, or silent, is not waited for. */
  close(writers?: readonly Closable[]): Promise<void>;
}

export interface PostgresLinkOptions {
  /** What is kept there, for the log. */
  readonly name: string;
  readonly mostConnections: number;
  readonly objects: readonly SchemaObject[];
  readonly log: Log;
}

/** Opens the connections, and makes what is missing. Rejects, and leaves nothing open, when that can't be done. */
export async function openPostgresLink(
  backend: PostgresBackend,
  { name, mostConnections, objects, log }: PostgresLinkOptions,
): Promise<PostgresLink> {
  // What hangs is given up before its callers do, so that it can be tried on another connection.
  const limits = { max: mostConnections, statement_timeout: 10_000, query_timeout: 12_000 };
  const pool = new Pool({ ...backend.poolConfig('work'), ...limits });
  // Without a listener the error of an idle connection would end the process.
  pool.on('error', (error) => {
    const about = { queue: backend.name, error: describeError(error) };
    log.warn(about, `an idle connection of the ${name} was lost`);
  });
  const clients = new Set<ClientBase>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  const gate = createGate();
  let isClosing = false;
  try {
    await prepareObjects(pool, backend.namespace, objects);
  } catch (error) {
    await endWithin(pool.end(), closeWithinMs);
    throw error;
  }
  return {
    ask: (text, values = []) => gate.pass(() => pool.query(text, [...values])),
    outlast: (query) =>
      gate.pass(() =>
        outlastOutage(
          () => pool.query(query),
          () => isClosing,
        ),
      ),
    async sweep(text, values) {
      let deleted: number | null;
      do {
        if (isClosing) return;
        ({ rowCount: deleted } = await gate.pass(() => pool.query(text, [sweptAtOnce, ...values])));
      } while (deleted === sweptAtOnce);
    },
    async close(writers = []) {
      isClosing = true;
      await closeWriters(writers, closeWithinMs);
      await endWithin(pool.end(), closeWithinMs);
      gate.close();
      // What the server has not answered by now keeps no process alive.
      for (const client of clients) if (client instanceof Client) void client.end().catch(() => undefined);
    },
  };
}
