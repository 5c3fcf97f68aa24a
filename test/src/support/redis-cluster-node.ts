import { setTimeout as pause } from 'node:timers/promises';

import type { RedisBackend } from '@aftermeet/queue';
import { Redis } from 'ioredis';

import { findFreePort } from './free-port.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

/**
 * Starts a node of a Redis Cluster that has one slot, that of `key`: it refuses every command and every script that
 * touches a key of another one.
 */
export async function startRedisClusterNode(key: string): Promise<RedisServer> {
  // The nodes talk on a port of their own, by default 10,000 above the other: there may be none.
  const busPort = String(await findFreePort());
  const settings = ['--databases', '1', '--cluster-enabled', 'yes', '--cluster-require-full-coverage', 'no'];
  const server = await startRedisServer([...settings, '--cluster-port', busPort]);
  const client = new Redis(server.url);
  try {
    await client.call('CLUSTER', 'ADDSLOTS', String(await client.call('CLUSTER', 'KEYSLOT', key)));
    // A node refuses everything in its first two seconds.
    for (let tries = 0; !(await isOk(client)); tries += 1) {
      if (tries === 200) throw new Error('the Redis Cluster node does not take its slot');
      await pause(50);
    }
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    client.disconnect();
  }
}

async function isOk(client: Redis): Promise<boolean> {
  return String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok');
}

/** The same backend with connections to a node: a node itself is refused where a backend is opened. */
export function withConnectionsTo({ url }: RedisServer, backend: RedisBackend): RedisBackend {
  return { ...backend, connect: () => new Redis(url, { maxRetriesPerRequest: null }) };
}
