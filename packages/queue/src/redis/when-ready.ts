import { once } from 'node:events';

import type { Redis } from 'ioredis';

import { closeRedis } from './close-redis.ts';

const READY_WITHIN_MS = 5000;

/** Waits until a new connection can be used; one that can't be within seconds is closed and rejected. */
export async function whenReady(client: Redis): Promise<void> {
  if (client.status === 'ready') return;
  try {
    // `once` also rejects on the first 'error', which is what to tell.
    await once(client, 'ready', { signal: AbortSignal.timeout(READY_WITHIN_MS) });
  } catch (error) {
    await closeRedis(client);
    throw error;
  }
}
