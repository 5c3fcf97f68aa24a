import type { Redis } from 'ioredis';
import type { PoolConfig } from 'pg';

import type { LineHeads } from './line-heads.ts';
import type { OutageLog } from './log.ts';
import type { StoreClock } from './store-clock.ts';

/**
 * What a connection is for. `accept` fails fast, because a delivery must be answered within a second; `work` waits until
 * the store is available again.
 */
export type ConnectionUse = 'accept' | 'work';

/** A Redis or Valkey server; all keys start with `{namespace}`. */
export interface RedisBackend {
  readonly kind: 'redis';
  /** For display: the address without its password. */
  readonly name: string;
  readonly namespace: string;
  readonly clock: StoreClock;
  readonly outage: OutageLog;
  readonly heads: LineHeads;
  /** Opens a connection, which the caller closes. */
  connect(use: ConnectionUse): Redis;
  close(): Promise<void>;
}

/** A PostgreSQL server, external or embedded; our tables are in the schema `namespace`. */
export interface PostgresBackend {
  readonly kind: 'postgres';
  /** For display: the address without its password, or the folder of the embedded server. */
  readonly name: string;
  readonly namespace: string;
  readonly clock: StoreClock;
  readonly outage: OutageLog;
  readonly heads: LineHeads;
  /** Settings of a new `pg` pool, which the caller ends. */
  poolConfig(use: ConnectionUse): PoolConfig;
  close(): Promise<void>;
}

/** A job store. `embedded:DIR` is a PostgreSQL backend whose server is started on demand. */
export type Backend = RedisBackend | PostgresBackend;
