import type { Redis } from 'ioredis';

import type { ConnectionUse, RedisBackend } from '../backend.ts';
import type { JobShelf, MomentRange } from '../bullmq/job-shelf.ts';
import { bullPrefix } from '../bullmq/queue-names.ts';
import { closeRedis } from './close-redis.ts';
import { type FoundChunk, type FoundJob, mergeNewestFirst } from './newest-first.ts';

const CHUNK = 1000;

/** BullMQ's scores of delayed jobs are milliseconds times this, so that many may be due in one. */
const SCORES_PER_MS = 0x1000;

/** A job that is gone must not come back as a piece of one, which no list knows and every `add` finds. */
const changeScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return end
local options = cjson.decode(redis.call('HGET', KEYS[1], 'opts') or '{}')
options.delay = tonumber(ARGV[1])
redis.call('HSET', KEYS[1], 'opts', cjson.encode(options))
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'data', ARGV[2]) end
`;

/** What BullMQ has no call for, on Redis. */
export function openRedisShelf(backend: RedisBackend, use: ConnectionUse): JobShelf {
  const client = backend.connect(use);
  const keyOf = (queueName: string, name: string): string =>
    `${bullPrefix(backend.namespace)}:${queueName}:${name}`;
  return {
    async *listIds(queueName, range) {
      const prefix = keyOf(queueName, '');
      yield* mergeNewestFirst([
        listUnfinished(client, prefix, range),
        listFinished(client, prefix, 'completed', range),
        listFinished(client, prefix, 'failed', range),
      ]);
    },
    async findDueMs(queueName, id) {
      const score = await client.zscore(keyOf(queueName, 'delayed'), id);
      return score === null ? undefined : Math.floor(Number(score) / SCORES_PER_MS);
    },
    async change(queueName, id, { data, delayMs }) {
      const text = data === undefined ? '' : JSON.stringify(data);
      await client.eval(changeScript, 1, keyOf(queueName, id), String(delayMs), text);
    },
    close: () => closeRedis(client),
  };
}

/** Those are in the order in which they are due or were put there: none is known to be the newest before all are read. */
async function* listUnfinished(
  client: Redis,
  prefix: string,
  range: MomentRange,
): AsyncGenerator<FoundChunk, void> {
  const jobs: FoundJob[] = [];
  // In the order in which a job goes through them; from `active` it may go back.
  for (const name of ['delayed', 'wait', 'active', 'delayed'] as const) {
    for (let at = 0; ; at += CHUNK) {
      const ids =
        name === 'delayed'
          ? await client.zrange(prefix + name, String(at), String(at + CHUNK - 1))
          : await client.lrange(prefix + name, at, at + CHUNK - 1);
      jobs.push(...(await readTimes(client, prefix, ids, range)));
      if (ids.length < CHUNK) break;
    }
  }
  yield { jobs, ceilingMs: -Infinity };
}

/** Newest end first. No job was added after it had ended. */
async function* listFinished(
  client: Redis,
  prefix: string,
  name: 'completed' | 'failed',
  range: MomentRange,
): AsyncGenerator<FoundChunk, void> {
  for (let at = 0; ; at += CHUNK) {
    const found = await client.zrevrange(prefix + name, at, at + CHUNK - 1, 'WITHSCORES');
    const ids = found.filter((_, index) => index % 2 === 0);
    const ceilingMs = Number(found.at(-1) ?? -Infinity);
    yield { jobs: await readTimes(client, prefix, ids, range), ceilingMs };
    if (ids.length < CHUNK || ceilingMs < range.fromMs) return;
  }
}

async function readTimes(
  client: Redis,
  prefix: string,
  ids: readonly string[],
  { fromMs, toMs }: MomentRange,
): Promise<FoundJob[]> {
  const times = await Promise.all(ids.map((id) => client.hget(prefix + id, 'timestamp')));
  return ids
    .map((id, index) => ({ id, addedAtMs: Number(times[index] ?? Number.NaN) }))
    .filter(({ addedAtMs }) => addedAtMs >= fromMs && addedAtMs <= toMs);
}
