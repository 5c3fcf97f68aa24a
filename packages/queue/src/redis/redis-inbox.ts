import { addPrioritizedJob } from 'bullmq/dist/esm/scripts/addPrioritizedJob-9.js';
import type { Redis } from 'ioredis';
import { z } from 'zod';

import type { RedisBackend } from '../backend.ts';
import { bullPrefix, jobOptions, MAX_PRIORITY, queueNames } from '../bullmq/queues.ts';
import type { PlaceRequests } from '../endpoint-lines.ts';
import {
  type InboxEntry,
  type InboxStore,
  MAX_REFUSALS,
  parseAcceptAnswers,
  refusalSchema,
} from '../inbox-store.ts';
import type { Log } from '../log.ts';
import { closeRedis, defineRedisScript, readRedisTime, runRedisScript, whenReady } from './redis-backend.ts';
import { createRoomKeeper, sizeOfGroup } from './redis-room.ts';

/**
 * The accepting side on Redis. The dedupe key of a delivery holds the millisecond of its expiry; that of a delivery id
 * holds the same and the job id.
 */
export async function openRedisInboxStore(
  backend: RedisBackend,
  { log, clock }: { readonly log: Log; readonly clock: () => number },
): Promise<InboxStore> {
  const { namespace } = backend;
  const client = backend.connect('accept');
  await whenReady(client);
  const room = createRoomKeeper(client, backend, { log });
  const explain = explainBrokenConnection(client);
  const refusalsKey = `{${namespace}}:refusals`;
  const pingKey = `{${namespace}}:ping`;
  const requiredTypes = requiredKeyTypes(namespace);

  return {
    maxInFlight: 2,
    async acceptGroup(group, places) {
      const { keys, parameters } = toAcceptCall(namespace, group, places, clock());
      const answers = await room
        .take(sizeOfGroup(group))
        .then(() => runRedisScript(client, acceptScript, keys, parameters))
        .catch(explain);
      return parseAcceptAnswers(answers, group.length);
    },
    // The data of a delivery is used by commands of the script only; these are the errors that it raises.
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
    readClockMs: () => readRedisTime(client),
    async ping() {
      await Promise.all([
        // A write, because a replica or a server without free memory answers PING as usual.
        client.set(pingKey, '1', 'PX', 60_000),
        room.take(0),
        ...requiredTypes.map(async ([key, type]) => {
          const found = await client.type(key);
          if (found !== type && found !== 'none') throw new Error(`${key} is a ${found}, not a ${type}`);
        }),
      ]).catch(explain);
    },
    close: () => closeRedis(client),
  };
}

/**
 * Without a connection each command fails with the same words. The reason, such as a wrong password, is what the
 * connection has said last.
 */
function explainBrokenConnection(client: Redis): (error: unknown) => never {
  let broken: unknown;
  client.on('error', (error) => {
    broken = error;
  });
  client.on('ready', () => {
    broken = undefined;
  });
  return (error) => {
    throw client.status === 'ready' ? error : (broken ?? error);
  };
}

/** The keys that BullMQ's own script takes, in its order. */
const jobKeys = ['marker', 'meta', 'id', 'prioritized', 'delayed', 'completed', 'active', 'events', 'pc'];

/**
 * Accepts a group of deliveries in one step: for each, unless its dedupe key or its job exists, adds the job by BullMQ's
 * own script and sets the dedupe key. Redis runs a script alone, so no client sees one without the other.
 *
 * Redis undoes nothing when a script fails, so this one does: a job whose adding failed half way is removed with its
 * dedupe key before the error is returned. Otherwise its delivery would be a duplicate of a job that no worker sees.
 *
 * BullMQ's text is the body of a function that gets its arguments as tables, through a `cmsgpack` of its own: packing
 * them only to unpack them takes a tenth of the time. accept-pins.test.ts pins what it writes; docs/decisions/0008
 * says why it is used.
 *
 * KEYS: the nine of BullMQ, the epoch of the lines, then for each delivery its job, its dedupe key and the key of its
 * delivery id. ARGV: the prefix of jobs, the kind of job, now (the inbox's clock) and the time at which the jobs are added,
 * in milliseconds, the options of the jobs as JSON, the epoch that is known; then for each delivery its job id, how long it
 * is kept in milliseconds, `1` when it has a delivery id, its data, and the two numbers that decide its place.
 */
export const acceptScript = defineRedisScript(`
local function addJob(KEYS, ARGV, cmsgpack)
${addPrioritizedJob.content}
end
local plain = { unpack = function(value) return value end }
local jobs, kind = ARGV[1], ARGV[2]
local nowMs, addedAtMs, options = tonumber(ARGV[3]), ARGV[4], cjson.decode(ARGV[5])
local answers = {}
-- BullMQ's score of a job is its priority, then a counter of 32 bits.
local first = redis.call('ZRANGE', KEYS[4], 0, 0, 'WITHSCORES')
local head = first[2] and math.floor(first[2] / 4294967296) or 0
local epoch = head == 0 and redis.call('INCR', KEYS[10]) or tonumber(redis.call('GET', KEYS[10]) or 0)
local isKnown = tonumber(ARGV[6]) == epoch
local key = ${jobKeys.length + 2}
for at = 7, #ARGV, 6 do
  local id, keepMs, hasName, data = ARGV[at], ARGV[at + 1], ARGV[at + 2] == '1', ARGV[at + 3]
  local jobKey, dedupeKey, nameKey = KEYS[key], KEYS[key + 1], KEYS[key + 2]
  key = key + 3
  local expiresAtMs = string.format('%.0f', nowMs + keepMs)
  local known = redis.call('MGET', dedupeKey, nameKey)
  local answer = 0
  if (known[1] and tonumber(known[1]) > nowMs) or redis.call('EXISTS', jobKey) == 1 then
    answer = 1
  else
    options.jobId = id
    local after = isKnown and tonumber(ARGV[at + 4]) or 0
    local base = head == 0 and 0 or math.max(after, head - 1)
    options.priority = math.min(base + tonumber(ARGV[at + 5]), ${MAX_PRIORITY})
    redis.call('SET', dedupeKey, expiresAtMs, 'PX', keepMs)
    local isAdded, failure = pcall(addJob, KEYS, { { jobs, id, kind, addedAtMs }, data, options }, plain)
    if not isAdded then
      redis.pcall('DEL', jobKey, dedupeKey)
      redis.pcall('ZREM', KEYS[4], id)
      return type(failure) == 'table' and failure or redis.error_reply('ERR ' .. tostring(failure))
    end
  end
  if hasName then
    local colon = known[2] and string.find(known[2], ':', 1, true)
    if colon and tonumber(string.sub(known[2], 1, colon - 1)) > nowMs then
      if string.sub(known[2], colon + 1) ~= id then answer = answer + 2 end
    elseif answer == 0 then
      redis.call('SET', nameKey, expiresAtMs .. ':' .. id, 'PX', keepMs)
    end
  end
  answers[#answers + 1] = answer
end
return string.format('%.0f:%.0f:', epoch, head) .. table.concat(answers)
`);

/** The keys and parameters of {@link acceptScript} for a group. Every key that the script touches is declared. */
export function toAcceptCall(
  namespace: string,
  group: readonly InboxEntry[],
  { epoch, requests }: PlaceRequests,
  nowMs: number,
) {
  const jobs = jobPrefix(namespace);
  const keys = [...jobKeys.map((key) => `${jobs}${key}`), epochKey(namespace)];
  const parameters = [jobs, 'event', String(nowMs), String(Date.now()), jobOptionsText, String(epoch)];
  for (const [index, { jobId, keepMs, deliveryKey, data }] of group.entries()) {
    const request = requests[index];
    if (request === undefined) throw new Error('a delivery has no place');
    keys.push(`${jobs}${jobId}`, `{${namespace}}:mark:${jobId}`, `{${namespace}}:name:${deliveryKey}`);
    parameters.push(
      jobId,
      String(keepMs),
      deliveryKey === '' ? '0' : '1',
      data,
      String(request.after),
      String(request.rank),
    );
  }
  return { keys, parameters };
}

const jobOptionsText = JSON.stringify(jobOptions('event'));

/** Counts how often no delivery waited. */
function epochKey(namespace: string): string {
  return `{${namespace}}:lines`;
}

function jobPrefix(namespace: string): string {
  return `${bullPrefix(namespace)}:${queueNames.event}:`;
}

/** The keys without which nothing can be accepted, and the type that each must have where it exists. */
function requiredKeyTypes(namespace: string): readonly (readonly [key: string, type: string])[] {
  const jobs = jobPrefix(namespace);
  return [
    [epochKey(namespace), 'string'],
    [`${jobs}prioritized`, 'zset'],
    [`${jobs}meta`, 'hash'],
    [`${jobs}events`, 'stream'],
    [`${jobs}marker`, 'zset'],
  ];
}
