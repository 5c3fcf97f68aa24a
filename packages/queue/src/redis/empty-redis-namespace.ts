import type { RedisBackend } from '../backend.ts';
import { closeRedis } from './close-redis.ts';
import { whenReady } from './when-ready.ts';

/** Removes every key of the namespace: those that begin with `{namespace}:`. */
export async function emptyRedisNamespace(backend: RedisBackend): Promise<void> {
  const client = backend.connect('accept');
  try {
    await whenReady(client);
    let cursor = '0';
    do {
      const [next, keys] = await client.scan(cursor, 'MATCH', `{${backend.namespace}}:*`, 'COUNT', 1000);
      if (keys.length > 0) await client.unlink(keys);
      cursor = next;
    } while (cursor !== '0');
  } finally {
    await closeRedis(client);
  }
}
