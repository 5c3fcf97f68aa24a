import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { Redis } from 'ioredis';
import pg from 'pg';

import type { Backend, PostgresBackend, RedisBackend } from './backend.ts';
import { describeError } from './errors.ts';
import type { Log } from './log.ts';
import { closeRedis, whenReady } from './redis/redis-backend.ts';

/** A namespace that no other process may claim. */
export interface NamespaceClaim {
  /** Changes what other processes are told of the holder. */
  describe(holder: string): Promise<void>;
  close(): Promise<void>;
}

export type Claiming =
  | { readonly ok: true; readonly claim: NamespaceClaim }
  /** What the holder says of itself. */
  | { readonly ok: false; readonly holder: string };

interface ClaimOptions {
  /** Printable ASCII without spaces, at most 63 characters. */
  readonly holder: string;
  readonly log: Log;
}

/** PostgreSQL cuts a longer name of a session. */
const MAX_HOLDER_LENGTH = 63;

/** The session of a killed process ends a moment after the process. */
const RETRY_FOR_MS = 1000;
const RETRY_EVERY_MS = 50;
const RECLAIM_EVERY_MS = 500;

/**
 * Claims a namespace for this process alone. The claim is a session of the store, an advisory lock on PostgreSQL and a
 * named connection on Redis: the store ends it with the process, so a killed process leaves no claim, and there is no lease
 * that could run out in a process that was only slow.
 */
export async function claimNamespace(backend: Backend, options: ClaimOptions): Promise<Claiming> {
  if (!/^[!-~]+$/.test(options.holder) || options.holder.length > MAX_HOLDER_LENGTH) {
    throw new Error(`the holder of a namespace cannot be named ${JSON.stringify(options.holder)}`);
  }
  const untilMs = performance.now() + RETRY_FOR_MS;
  for (;;) {
    const claiming =
      backend.kind === 'postgres'
        ? await claimOnPostgres(backend, options)
        : await claimOnRedis(backend, options);
    if (claiming.ok || performance.now() > untilMs) return claiming;
    await pause(RETRY_EVERY_MS);
  }
}

/** Another class of advisory locks than that of the embedded server. */
const LOCK_CLASS = 1_634_104_430;

async function claimOnPostgres(backend: PostgresBackend, { holder, log }: ClaimOptions): Promise<Claiming> {
  const closing = new AbortController();
  let current = holder;
  let session: pg.Client;

  /** Claims again after the server has ended the session, as at its restart. */
  async function keep(client: pg.Client): Promise<void> {
    session = client;
    await new Promise<void>((resolve) => client.once('end', () => resolve()));
    while (!closing.signal.aborted) {
      await pause(RECLAIM_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      const again = await lockNamespace(backend, current).catch((error: unknown) => {
        log.debug({ error: describeError(error) }, 'the namespace cannot be claimed again yet');
      });
      if (again?.ok !== true) continue;
      if (!closing.signal.aborted) return keep(again.client);
      await again.client.end();
    }
  }

  const first = await lockNamespace(backend, holder);
  if (!first.ok) return first;
  const kept = keep(first.client);
  return {
    ok: true,
    claim: {
      async describe(next) {
        current = next;
        await session.query(`select set_config('application_name', $1, false)`, [next]);
      },
      async close() {
        closing.abort();
        await session.end().catch(() => undefined); // The server may be gone.
        await kept;
      },
    },
  };
}

type Lock =
  | { readonly ok: true; readonly client: pg.Client }
  | { readonly ok: false; readonly holder: string };

/** A session that holds the lock of the namespace and has the name of its holder, or the name of the one that does. */
async function lockNamespace(backend: PostgresBackend, holder: string): Promise<Lock> {
  const client = new pg.Client({ ...backend.poolConfig('work'), application_name: holder });
  client.on('error', () => undefined); // The running query rejects as well.
  try {
    await client.connect();
    const lock = [LOCK_CLASS, hashName(backend.namespace)];
    const { rows: tried } = await client.query<{ isMine: boolean }>(
      'select pg_try_advisory_lock($1, $2) as "isMine"',
      lock,
    );
    if (tried[0]?.isMine === true) return { ok: true, client };
    const { rows: holders } = await client.query<{ name: string }>(
      `select application_name as name from pg_stat_activity join pg_locks using (pid)
        where locktype = 'advisory' and database = datid and classid = $1 and objid = $2 and granted`,
      lock,
    );
    await client.end();
    return { ok: false, holder: holders[0]?.name ?? '' };
  } catch (error) {
    await client.end().catch(() => undefined); // It may not be established.
    throw error;
  }
}

/** A number from 0 to 2³¹ - 1: PostgreSQL shows a negative key of a lock as another one. */
function hashName(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() >>> 1;
}

async function claimOnRedis(backend: RedisBackend, { holder, log }: ClaimOptions): Promise<Claiming> {
  const client = backend.connect('work');
  await whenReady(client);
  const prefix = `aftermeet-claim:${backend.namespace}:`;
  let current = holder;
  const other = await claimName(client, prefix, holder).catch((error: unknown) => {
    log.warn(
      { store: backend.name, error: describeError(error) },
      'this Redis does not show its connections: make sure that no other process uses this namespace',
    );
  });
  if (other !== undefined) {
    await closeRedis(client);
    return { ok: false, holder: other };
  }
  const setName = () => client.client('SETNAME', prefix + current);
  // The server forgets the name with the connection.
  client.on('ready', () => void setName().catch(() => undefined));
  return {
    ok: true,
    claim: {
      async describe(next) {
        current = next;
        await setName().catch(() => undefined); // It was warned of.
      },
      close: () => closeRedis(client),
    },
  };
}

/**
 * Names the connection and looks for others in one step, so that of two processes at once one comes first. Returns what
 * another connection says of itself.
 */
async function claimName(client: Redis, prefix: string, holder: string): Promise<string | undefined> {
  const replies = await client
    .multi()
    .client('SETNAME', prefix + holder)
    .client('ID')
    .client('LIST')
    .exec();
  const [, id, list = ''] = (replies ?? []).map(([error, reply]) => {
    if (error !== null) throw error;
    return String(reply);
  });
  const connections = list.split('\n').map(readConnection);
  const own = connections.find((connection) => connection.id === id);
  if (own === undefined) throw new Error('its own connection is not listed');
  const other = connections.find(
    (each) => each !== own && each.db === own.db && each.name.startsWith(prefix),
  );
  return other?.name.slice(prefix.length);
}

/** One line of `CLIENT LIST`: `id=3 addr=127.0.0.1:5002 … name=x … db=0 …`. */
function readConnection(line: string): { readonly id: string; readonly db: string; readonly name: string } {
  const read = (field: string): string => new RegExp(`(?:^| )${field}=(\\S*)`).exec(line)?.[1] ?? '';
  return { id: read('id'), db: read('db'), name: read('name') };
}
