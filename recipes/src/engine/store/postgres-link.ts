import { setTimeout as pause } from 'node:timers/promises';

import { type PostgresBackend, prepareObjects, readPostgresTime, type SchemaObject } from '@aftermeet/queue';
import { Client, type ClientBase, Pool, type QueryConfig, type QueryResult } from 'pg';

import { type Closable, closeWriters, createGate, endWithin } from './store-tools.ts';

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
  /** The server's clock, milliseconds since 1970. */
  readonly readClockMs: () => Promise<number>;
  /** Lets the writers end when the server answers. One that is away, or silent, is not waited for. */
  close(writers?: readonly Closable[]): Promise<void>;
}

interface PostgresLinkOptions {
  readonly maxConnections: number;
  readonly objects: readonly SchemaObject[];
}

/** Opens the connections, and makes what is missing. Rejects, and leaves nothing open, when that can't be done. */
export async function openPostgresLink(
  backend: PostgresBackend,
  { maxConnections, objects }: PostgresLinkOptions,
): Promise<PostgresLink> {
  // What hangs is given up before its callers do, so that it can be tried on another connection.
  const limits = { max: maxConnections, statement_timeout: 10_000, query_timeout: 12_000 };
  const pool = new Pool({ ...backend.poolConfig('work'), ...limits });
  // Without a listener the error of an idle connection would end the process.
  pool.on('error', backend.outage.failed);
  const clients = new Set<ClientBase>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  const gate = createGate();
  let isClosing = false;
  try {
    await prepareTables(pool, backend.namespace, objects);
  } catch (error) {
    await endWithin(pool.end(), closeWithinMs);
    throw error;
  }
  return {
    ask: (text, values = []) => gate.pass(() => pool.query(text, [...values])),
    readClockMs: () => readPostgresTime((text) => gate.pass(() => pool.query(text))),
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

async function prepareTables(pool: Pool, namespace: string, objects: readonly SchemaObject[]): Promise<void> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    await prepareObjects(client, namespace, objects);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // A connection whose transaction failed is not used again.
    client.release(failure !== undefined);
  }
}

/** How long a step is tried anew: less than its callers wait, so that they hear why it failed. */
const outlastMs = 30_000;

const FIRST_PAUSE_MS = 100;

const MAX_PAUSE_MS = 1000;

/**
 * Classes of errors that pass: the connection, the server is starting or stopping, no connection is left, a deadlock
 * or a conflict, a lock that took too long.
 */
const passingCodes = /^(?:08|53|57P|40)|^55P03$|^57014$/;

/**
 * Does a step on PostgreSQL again while the server is away, which Redis clients do by themselves. Only for steps that
 * can be done twice.
 */
export async function outlastOutage<Answer>(
  step: () => Promise<Answer>,
  isClosing: () => boolean,
): Promise<Answer> {
  const endMs = performance.now() + outlastMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      if (!isPassing(error) || isClosing() || performance.now() + pauseMs > endMs) throw error;
      await pause(pauseMs);
    }
  }
}

/** An error of the server has a code of five characters; those of connections have another one, or none. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE' ? passingCodes.test(code) : true;
}

/** Rows as a parameter. PostgreSQL keeps no NUL and no half of a character: one of them would fail the whole group. */
export function writeRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  // JSON writes both with an escape: where there is none, looking at each text is saved.
  if (!text.includes(String.raw`\u`)) return text;
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(unstorable, '\u{FFFD}') : value,
  );
}

const unstorable = /[\0\p{Surrogate}]/gu;
