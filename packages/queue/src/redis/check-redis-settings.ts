import type { Redis } from 'ioredis';

import type { Log } from '../log.ts';

/**
 * Warns when the server may evict jobs or forget them at a restart. Many managed servers forbid
 * `CONFIG`: then the warning says that it could not be checked.
 */
export async function checkRedisSettings(
  client: Redis,
  { name, log }: { readonly name: string; readonly log: Log },
): Promise<void> {
  const policy = await readSetting(client, 'maxmemory-policy');
  const appendOnly = await readSetting(client, 'appendonly');
  const sync = await readSetting(client, 'appendfsync');
  if (policy === undefined || appendOnly === undefined || sync === undefined) {
    log.warn(
      { store: name },
      'this Redis does not show its settings: make sure that maxmemory-policy is noeviction and that persistence (appendonly yes) is on',
    );
    return;
  }
  if (policy !== 'noeviction') {
    log.warn(
      { store: name, found: policy },
      'this Redis may evict jobs when its memory is full: set maxmemory-policy noeviction',
    );
  }
  if (appendOnly !== 'yes') {
    log.warn(
      { store: name, found: appendOnly },
      'this Redis forgets accepted deliveries when it crashes: set appendonly yes',
    );
  } else if (sync === 'no') {
    log.warn(
      { store: name, found: sync },
      'this Redis does not say when accepted deliveries reach the disk: set appendfsync everysec or always',
    );
  }
}

async function readSetting(client: Redis, setting: string): Promise<string | undefined> {
  try {
    const reply: unknown = await client.config('GET', setting);
    if (Array.isArray(reply)) return typeof reply[1] === 'string' ? reply[1] : undefined;
    if (typeof reply !== 'object' || reply === null) return undefined;
    const value: unknown = Object.entries(reply).find(([key]) => key === setting)?.[1];
    return typeof value === 'string' ? value : undefined;
  } catch {
    // CONFIG is forbidden here; the caller says so.
    return undefined;
  }
}
