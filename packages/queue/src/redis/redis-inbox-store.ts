import { z } from 'zod';

import type { RedisBackend } from '../backend.ts';
import { openJobStore } from '../bullmq/job-store.ts';
import { type InboxStore, MAX_REFUSALS, type Refusal } from '../inbox-store.ts';
import type { Log } from '../log.ts';
import { refusalSchema } from '../refusal-schema.ts';
import { closeRedis } from './close-redis.ts';
import { whenReady } from './when-ready.ts';

/** The accepting side on Redis. Fingerprints are keys whose value is the millisecond they expire at. */
export async function openRedisInboxStore(
  backend: RedisBackend,
  { log, clock }: { readonly log: Log; readonly clock: () => number },
): Promise<InboxStore> {
  const jobs = await openJobStore(backend, 'event', 'accept', log);
  const client = backend.connect('accept');
  try {
    await whenReady(client);
  } catch (error) {
    await jobs.close();
    throw error;
  }
  const fingerprintKey = (key: string): string => `{${backend.namespace}}:fingerprint:${key}`;
  const refusalsKey = `{${backend.namespace}}:refusals`;

  return {
    async accept({ jobId, job, fingerprints }) {
      const keys = fingerprints.map(({ key }) => fingerprintKey(key));
      const known = keys.length === 0 ? [] : await client.mget(keys);
      if (known.some((expiresAtMs) => expiresAtMs !== null && Number(expiresAtMs) > clock())) {
        return 'duplicate';
      }
      await jobs.add({ id: jobId, data: job });
      // Only now: a crash before this line costs a repeated no-op, a crash after it loses nothing.
      await Promise.all(
        fingerprints.map(({ key, keepSeconds }) =>
          client.set(fingerprintKey(key), clock() + keepSeconds * 1000, 'PX', keepSeconds * 1000),
        ),
      );
      return 'accepted';
    },
    async recordRefusal(refusal: Refusal) {
      await client.lpush(refusalsKey, JSON.stringify(refusal));
      await client.ltrim(refusalsKey, 0, MAX_REFUSALS - 1);
    },
    async listRefusals(limit) {
      const texts = limit < 1 ? [] : await client.lrange(refusalsKey, 0, limit - 1);
      return texts.map((text) => z.parse(refusalSchema, JSON.parse(text)));
    },
    async ping() {
      await client.ping();
    },
    async close() {
      await jobs.close();
      await closeRedis(client);
    },
  };
}
