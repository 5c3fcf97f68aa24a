import type { PoolConfig } from 'pg';

import type { ConnectionUse } from '../backend.ts';

const useSettings: Record<ConnectionUse, PoolConfig> = {
  // The server gives up as well: else the sessions that nobody listens to any more pile up behind a lock.
  accept: { query_timeout: 800, statement_timeout: 800, connectionTimeoutMillis: 800, max: 4 },
  work: { connectionTimeoutMillis: 10_000, max: 10 },
};

/** The settings that every pool has, by what it is for. */
export function poolSettings(use: ConnectionUse): PoolConfig {
  return { ...useSettings[use], application_name: `aftermeet-${use}`, keepAlive: true };
}

/**
 * Pool settings for an address. `options` of the address move into the settings of their own, because
 * pg would let them replace the search path that BullMQ pins there.
 */
export function toPoolConfig(url: string, use: ConnectionUse): PoolConfig {
  const parsed = new URL(url);
  const options = parsed.searchParams.get('options');
  if (options === null) return { ...poolSettings(use), connectionString: url };
  parsed.searchParams.delete('options');
  return { ...poolSettings(use), connectionString: parsed.href, options };
}
