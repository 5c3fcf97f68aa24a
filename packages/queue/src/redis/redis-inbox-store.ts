import { z } from 'zod';

import { readAcceptAnswers } from '../accept-answers.ts';
import type { RedisBackend } from '../backend.ts';
import { jobOptions } from '../bullmq/job-options.ts';
import { type InboxStore, MAX_REFUSALS } from '../inbox-store.ts';
import { refusalSchema } from '../refusal-schema.ts';
import { acceptedTypes, acceptScript, acceptScriptKeys, acceptScriptSha } from './accept-script.ts';
import { closeRedis } from './close-redis.ts';
import { whenReady } from './when-ready.ts';

/**
 * The accepting side on Redis. A mark is a key whose value is the millisecond it expires at, an announcement has the
 * job id behind that.
 */
export async function openRedisInboxStore(
  backend: RedisBackend,
  { clock }: { readonly clock: () => number },
): Promise<InboxStore> {
  const client = backend.connect('accept');
  await whenReady(client);
  const { keys, prefixes } = acceptScriptKeys(backend.namespace);
  const head = [...keys, ...prefixes, 'event'];
  const options = JSON.stringify(jobOptions('event'));
  const refusalsKey = `{${backend.namespace}}:refusals`;
  const neededTypes = acceptedTypes(backend.namespace);
  const pingKey = `{${backend.namespace}}:ping`;

  async function runAcceptScript(parameters: readonly string[]): Promise<unknown> {
    try {
      return await client.evalsha(acceptScriptSha, keys.length, ...parameters);
    } catch (error) {
      // A server that was restarted has forgotten its scripts.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await client.eval(acceptScript, keys.length, ...parameters);
    }
  }

  return {
    maxInFlight: 2,
    async acceptGroup(group) {
      const parameters = [...head, String(clock()), String(Date.now()), options];
      for (const { jobId, keepMs, announcedAs, data } of group) {
        parameters.push(jobId, String(keepMs), announcedAs, data);
      }
      return readAcceptAnswers(await runAcceptScript(parameters), group.length);
    },
    // The data of a delivery reach commands only in the script; these are what it raises for one of them.
    isDataError: (error) =>
      error instanceof Error && /^(?:ERR|WRONGTYPE) (?!.*READONLY)/s.test(error.message),
    async recordRefusals(refusals) {
      const texts = refusals.map((refusal) => JSON.stringify(refusal));
      await Promise.all([
        client.lpush(refusalsKey, ...texts),
        client.ltrim(refusalsKey, 0, MAX_REFUSALS - 1),
      ]);
    },
    async listRefusals(limit) {
      const texts = limit < 1 ? [] : await client.lrange(refusalsKey, 0, limit - 1);
      return texts.map((text) => z.parse(refusalSchema, JSON.parse(text)));
    },
    async ping() {
      await Promise.all([
        // A write: a server that is out of memory, or a replica, answers PING as if all were well.
        client.set(pingKey, '1', 'PX', 60_000),
        ...neededTypes.map(async ([key, type]) => {
          const found = await client.type(key);
          if (found !== type && found !== 'none') throw new Error(`${key} is a ${found}, not a ${type}`);
        }),
      ]);
    },
    close: () => closeRedis(client),
  };
}
