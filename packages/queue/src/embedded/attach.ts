import pg from 'pg';

import { describeError } from '../describe-error.ts';
import { isCode } from '../is-code.ts';
import { DATABASE, DATABASE_USER, readPassword } from './cluster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import type { ServerHome } from './server-home.ts';

/** How to reach the server, in the words of `pg`. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  readonly ssl: false;
}

/** A session that says: this process uses the server. */
export interface Keeper {
  readonly client: pg.Client;
  readonly address: ServerAddress;
}

export type Attachment =
  | { readonly kind: 'attached'; readonly keeper: Keeper }
  /** Nobody listens: it may be started. */
  | { readonly kind: 'absent' }
  /** Somebody is there, but not (yet, or any more) for us: ask again. */
  | { readonly kind: 'busy'; readonly problem: string };

/** The advisory lock that every attached process shares: "aftm" in ASCII, first of its kind. */
export const KEEPER_LOCK = '1634104429, 1';

const CONNECT_WITHIN_MS = 3000;

/** Tries to attach to the running server of a home. */
export async function attach(home: ServerHome): Promise<Attachment> {
  const running = await readPostmasterFile(home.data);
  if (running === undefined) return { kind: 'absent' };
  const address: ServerAddress = {
    host: running.host,
    port: running.port,
    user: DATABASE_USER,
    database: DATABASE,
    password: await readPassword(home),
    ssl: false,
  };
  const client = new pg.Client({
    ...address,
    application_name: 'aftermeet-keeper',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined); // The query that runs rejects as well.
  try {
    await client.connect();
    // Waits while the last process that leaves stops the server; then this session is cut.
    await client.query(`select pg_advisory_lock_shared(${KEEPER_LOCK})`);
    return { kind: 'attached', keeper: { client, address } };
  } catch (error) {
    await client.end().catch(() => undefined); // It may not have stood at all.
    if (isCode(error, 'ECONNREFUSED', 'ENOENT')) return { kind: 'absent' };
    return { kind: 'busy', problem: `process ${running.pid}: ${describeError(error)}` };
  }
}
