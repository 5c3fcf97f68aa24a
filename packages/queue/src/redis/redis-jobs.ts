import type { Redis } from 'ioredis';
import { z } from 'zod';

import type { ConnectionUse, RedisBackend } from '../backend.ts';
import { bullPrefix, redisDestinationsKey } from '../bullmq/queues.ts';
import type { JobStore, ReadJob, TimeRange, UnfinishedJob, UnfinishedState } from '../job-store.ts';
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

/**
 * Reads jobs with their states. KEYS: completed, failed, delayed and active, then each job. ARGV: the id of each job.
 * A job that is in none of the four waits; the list of these is not searched, because it can be long.
 */
const readScript = defineRedisScript(`
local function findState(id)
  for nth, state in ipairs({ 'completed', 'failed', 'delayed' }) do
    local score = redis.call('ZSCORE', KEYS[nth], id)
    if score then return state, score end
  end
  if redis.call('LPOS', KEYS[4], id) then return 'active', '0' end
  return 'waiting', '0'
end
local answers = {}
for nth, id in ipairs(ARGV) do
  local row = redis.call('HMGET', KEYS[4 + nth], 'data', 'timestamp', 'finishedOn', 'ats', 'failedReason')
  answers[nth] = false
  if row[1] and row[2] then
    local state, score = findState(id)
    answers[nth] = { state, score, unpack(row) }
  end
end
return answers
`);

const readAnswerSchema = z.array(
  z
    .tuple([
      z.enum(['waiting', 'active', 'delayed', 'completed', 'failed']),
      z.string(),
      z.string(),
      z.coerce.number(),
      z.string().nullable(),
      z.coerce.number(),
      z.string().nullable(),
    ])
    .nullable(),
);

/** When each of these jobs was added. KEYS: the jobs. */
const timesScript = defineRedisScript(`
local times = {}
for nth, job in ipairs(KEYS) do times[nth] = redis.call('HGET', job, 'timestamp') end
return times
`);

const timesSchema = z.array(z.string().nullable());

/** Reads and changes jobs on Redis beyond what BullMQ offers. */
export function openRedisJobStore(backend: RedisBackend, use: ConnectionUse): JobStore {
  const client = backend.connect(use);
  const keyOf = (queueName: string, name: string): string =>
    `${bullPrefix(backend.namespace)}:${queueName}:${name}`;
  return {
    async *listIds(queueName, range) {
      const prefix = keyOf(queueName, '');
      yield* mergeNewestFirst([
        listUnfinishedTimes(client, prefix, range),
        listFinished(client, prefix, 'completed', range),
        listFinished(client, prefix, 'failed', range),
      ]);
    },
    listDestinations: async () => (await client.smembers(redisDestinationsKey(backend.namespace))).toSorted(),
    listUnfinished: (queueName, state) => listUnfinished(client, keyOf(queueName, ''), state),
    findIds: (queueName, prefix, limit) => findIds(client, keyOf(queueName, ''), prefix, limit),
    read: (queueName, ids) => readJobs(client, keyOf(queueName, ''), ids),
    async change(queueName, id, { data, delayMs }) {
      const text = data === undefined ? '' : JSON.stringify(data);
      await runRedisScript(client, changeScript, [keyOf(queueName, id)], [delayMs, text]);
    },
    close: () => closeRedis(client),
  };
}

async function readJobs(
  client: Redis,
  prefix: string,
  ids: readonly string[],
): Promise<readonly (ReadJob | undefined)[]> {
  if (ids.length === 0) return [];
  const keys = ['completed', 'failed', 'delayed', 'active', ...ids].map((name) => prefix + name);
  const answers = readAnswerSchema.parse(await runRedisScript(client, readScript, keys, ids));
  return ids.map((id, index): ReadJob | undefined => {
    const answer = answers[index] ?? undefined;
    if (answer === undefined) return undefined;
    const [state, score, data, addedAtMs, finishedOn, startedTimes, cause] = answer;
    return {
      id,
      state,
      data: parseJson(data),
      addedAtMs,
      startedTimes,
      ...(finishedOn === null ? {} : { finishedAtMs: Number(finishedOn) }),
      ...(state === 'delayed' ? { dueAtMs: toDueMs(score) } : {}),
      ...(state === 'failed' ? { cause: cause ?? '' } : {}),
    };
  });
}

function toDueMs(score: string): number {
  return Math.floor(Number(score) / SCORES_PER_MS);
}

async function* listUnfinished(
  client: Redis,
  prefix: string,
  state: UnfinishedState,
): AsyncGenerator<readonly UnfinishedJob[], void> {
  for (const list of LISTS_OF[state]) {
    for (let at = 0; ; at += CHUNK) {
      const places = await readPlaces(client, prefix, list, at);
      const found = await Promise.all(places.map((place) => readJob(client, prefix, place)));
      yield found.filter((job) => job !== undefined);
      if (places.length < CHUNK) break;
    }
  }
}

/** BullMQ's lists and sorted sets of the jobs in a state, those without a priority first. */
const LISTS_OF = {
  delayed: ['delayed'],
  waiting: ['wait', 'prioritized'],
  active: ['active'],
} as const;

interface JobPlace {
  readonly id: string;
  readonly dueAtMs?: number;
}

async function readPlaces(
  client: Redis,
  prefix: string,
  list: (typeof LISTS_OF)[UnfinishedState][number],
  at: number,
): Promise<readonly JobPlace[]> {
  if (list === 'delayed') {
    const found = await client.zrange(`${prefix}delayed`, String(at), String(at + CHUNK - 1), 'WITHSCORES');
    return Array.from({ length: found.length / 2 }, (_, index) => ({
      id: found[2 * index] ?? '',
      dueAtMs: toDueMs(found[2 * index + 1] ?? ''),
    }));
  }
  if (list === 'prioritized') {
    const ids = await client.zrange(`${prefix}prioritized`, String(at), String(at + CHUNK - 1));
    return ids.map((id) => ({ id }));
  }
  // A worker takes the last one of the list.
  const ids = await client.lrange(prefix + list, -at - CHUNK, -at - 1);
  return ids.toReversed().map((id) => ({ id }));
}

/** Undefined for a job that was removed a moment ago. */
async function readJob(client: Redis, prefix: string, place: JobPlace): Promise<UnfinishedJob | undefined> {
  const [data, addedAtMs, started] = await client.hmget(prefix + place.id, 'data', 'timestamp', 'ats');
  if (typeof data !== 'string') return undefined;
  return {
    ...place,
    data: parseJson(data),
    addedAtMs: Number(addedAtMs),
    startedTimes: Number(started ?? 0),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ids are hashes and names: any other prefix has none, and the pattern needs no escapes. */
const ID_PREFIX = /^[A-Za-z0-9_-]+$/;

async function findIds(
  client: Redis,
  keyPrefix: string,
  prefix: string,
  limit: number,
): Promise<readonly string[]> {
  const found = new Set<string>();
  if (!ID_PREFIX.test(prefix)) return [];
  for (const name of ['delayed', 'prioritized', 'completed', 'failed']) {
    let cursor = '0';
    do {
      const [next, members] = await client.zscan(
        keyPrefix + name,
        cursor,
        'MATCH',
        `${prefix}*`,
        'COUNT',
        CHUNK,
      );
      cursor = next;
      for (const id of members.filter((_, index) => index % 2 === 0)) found.add(id);
    } while (cursor !== '0' && found.size < limit);
  }
  for (const name of ['wait', 'active']) {
    for (let at = 0; found.size < limit; at += CHUNK) {
      const ids = await client.lrange(keyPrefix + name, at, at + CHUNK - 1);
      for (const id of ids) if (id.startsWith(prefix)) found.add(id);
      if (ids.length < CHUNK) break;
    }
  }
  return [...found].slice(0, limit);
}

/** These lists are not sorted by the time of adding, so all jobs are read before the first is given. */
async function* listUnfinishedTimes(
  client: Redis,
  prefix: string,
  range: TimeRange,
): AsyncGenerator<FoundChunk, void> {
  const jobs: FoundJob[] = [];
  // In the order in which a job moves; from `active` it may go back to `delayed`.
  for (const name of ['delayed', 'prioritized', 'wait', 'active', 'delayed'] as const) {
    for (let at = 0; ; at += CHUNK) {
      const ids =
        name === 'delayed' || name === 'prioritized'
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
  if (ids.length === 0) return [];
  const keys = ids.map((id) => prefix + id);
  const times = timesSchema.parse(await runRedisScript(client, timesScript, keys, []));
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
