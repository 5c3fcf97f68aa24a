import type { Redis } from 'ioredis';

import type { ConnectionUse, RedisBackend } from '../backend.ts';
import { bullPrefix } from '../bullmq/queues.ts';
import type { JobStore, TimeRange } from '../job-admin.ts';
import { closeRedis, defineRedisScript, runRedisScript } from './redis-backend.ts';

const CHUNK = 1000;

/** BullMQ multiplies the time of delayed jobs by this, so that many may be due in one millisecond. */
const SCORES_PER_MS = 0x1000;

/** Without the check, a removed job would come back as a partial one that is in no list and blocks each `add`. */
const changeScript = defineRedisScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return end
local options = cjson.decode(redis.call('HGET', KEYS[1], 'opts') or '{}')
options.delay = tonumber(ARGV[1])
redis.call('HSET', KEYS[1], 'opts', cjson.encode(options))
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'data', ARGV[2]) end
`);

/** Reads and changes jobs on Redis beyond what BullMQ offers. */
export function openRedisJobStore(backend: RedisBackend, use: ConnectionUse): JobStore {
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
      await runRedisScript(client, changeScript, [keyOf(queueName, id)], [delayMs, text]);
    },
    close: () => closeRedis(client),
  };
}

/** These lists are not sorted by the time of adding, so all jobs are read before the first is given. */
async function* listUnfinished(
  client: Redis,
  prefix: string,
  range: TimeRange,
): AsyncGenerator<FoundChunk, void> {
  const jobs: FoundJob[] = [];
  // In the order in which a job moves; from `active` it may go back to `delayed`.
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

/** Sorted by their end, newest first. A job was added before it ended. */
async function* listFinished(
  client: Redis,
  prefix: string,
  name: 'completed' | 'failed',
  range: TimeRange,
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
  { fromMs, toMs }: TimeRange,
): Promise<FoundJob[]> {
  const times = await Promise.all(ids.map((id) => client.hget(prefix + id, 'timestamp')));
  return ids
    .map((id, index) => ({ id, addedAtMs: Number(times[index] ?? Number.NaN) }))
    .filter(({ addedAtMs }) => addedAtMs >= fromMs && addedAtMs <= toMs);
}

/** A job and the time at which it was added. */
export interface FoundJob {
  readonly id: string;
  readonly addedAtMs: number;
}

/** A part of a list of jobs. The parts that follow have no job that was added after `ceilingMs`. */
export interface FoundChunk {
  readonly jobs: readonly FoundJob[];
  readonly ceilingMs: number;
}

/**
 * Merges lists of jobs by the time they were added, newest first. A job is given as soon as no list can hold a newer
 * one, and once when it is in two lists.
 */
export async function* mergeNewestFirst(
  lists: readonly AsyncIterator<FoundChunk, unknown>[],
): AsyncGenerator<readonly string[], void> {
  const seen = new Set<string>();
  let sources = lists.map((list) => ({ list, ceilingMs: Infinity }));
  let pending: FoundJob[] = [];
  while (sources.length > 0) {
    const highest = sources.reduce((one, other) => (other.ceilingMs > one.ceilingMs ? other : one));
    const next = await highest.list.next();
    if (next.done === true) {
      sources = sources.filter((each) => each !== highest);
    } else {
      highest.ceilingMs = next.value.ceilingMs;
      for (const job of next.value.jobs) {
        if (seen.has(job.id)) continue;
        seen.add(job.id);
        pending.push(job);
      }
    }
    pending.sort((one, other) => other.addedAtMs - one.addedAtMs);
    const completeMs = Math.max(-Infinity, ...sources.map(({ ceilingMs }) => ceilingMs));
    const after = pending.findIndex(({ addedAtMs }) => addedAtMs < completeMs);
    const count = after === -1 ? pending.length : after;
    if (count > 0) yield pending.slice(0, count).map(({ id }) => id);
    pending = pending.slice(count);
  }
}
