import type { Redis } from 'ioredis';
import type { PoolConfig } from 'pg';

/**
 * What a connection is for. `accept` fails fast (a delivery must be answered within a second),
 * `work` waits patiently for the store to come back.
 */
export type ConnectionUse = 'accept' | 'work';

/** A Redis (or Valkey) server; every key of ours starts with `{namespace}`. */
export interface RedisBackend {
  readonly kind: 'redis';
  /** For people: the address without its password. */
  readonly name: string;
  readonly namespace: string;
  /** A new connection. Whoever opens it closes it. */
  connect(use: ConnectionUse): Redis;
  close(): Promise<void>;
}

/** A PostgreSQL server, given or started by us; our tables live in the schema `namespace`. */
export interface PostgresBackend {
  readonly kind: 'postgres';
  /** For people: the address without its password, or the folder of the embedded server. */
  readonly name: string;
  readonly namespace: string;
  /** Settings of a new `pg` pool. Whoever makes the pool ends it. */
  poolConfig(use: ConnectionUse): PoolConfig;
  close(): Promise<void>;
}

/** Where jobs are kept. `embedded:DIR` is a PostgreSQL backend whose server we start ourselves. */
export type Backend = RedisBackend | PostgresBackend;
