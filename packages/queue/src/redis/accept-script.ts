import { createHash } from 'node:crypto';

import { addStandardJob } from 'bullmq/dist/esm/scripts/addStandardJob-9.js';

import { bullPrefix, queueNames } from '../bullmq/queue-names.ts';

/** The keys that BullMQ's own script takes, in its order. */
const jobKeys = ['wait', 'paused', 'meta', 'id', 'completed', 'delayed', 'active', 'events', 'marker'];

/**
 * Accepts a group of deliveries in one step: for each, unless its mark or its job is there, adds the job by BullMQ's
 * own script and sets the mark. Redis runs a script alone, so nobody sees one without the other.
 *
 * It takes nothing back when a script fails, so this one does it itself: a job whose adding failed half way is removed
 * before the error is told, and its mark with it. Else its delivery would be a duplicate when it comes again, of a job
 * that no worker sees.
 *
 * BullMQ's text is the body of a function here, which gets its arguments as tables instead of packed, through a
 * `cmsgpack` of its own: packing them only to unpack them is a tenth of the time. What it writes is pinned by
 * accept-pins.test.ts; why it is done at all is docs/decisions/0008.
 *
 * KEYS: those of BullMQ. ARGV: the prefixes of jobs, marks and announcements, the kind of job, now (the inbox's clock)
 * and the time the jobs are added, in milliseconds, and the options of the jobs as JSON; then for each delivery its
 * job id, how long it is kept in milliseconds, its announced name or nothing, and its data.
 */
export const acceptScript = `
local function addJob(KEYS, ARGV, cmsgpack)
${addStandardJob.content}
end
local plain = { unpack = function(value) return value end }
local jobs, marks, names, kind = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local nowMs, addedAtMs, options = tonumber(ARGV[5]), ARGV[6], cjson.decode(ARGV[7])
local answers = {}
for at = 8, #ARGV, 4 do
  local id, keepMs, name, data = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local expiresAtMs = string.format('%.0f', nowMs + keepMs)
  local known = redis.call('MGET', marks .. id, names .. name)
  local answer = 0
  if (known[1] and tonumber(known[1]) > nowMs) or redis.call('EXISTS', jobs .. id) == 1 then
    answer = 1
  else
    options.jobId = id
    redis.call('SET', marks .. id, expiresAtMs, 'PX', keepMs)
    local isAdded, failure = pcall(addJob, KEYS, { { jobs, id, kind, addedAtMs }, data, options }, plain)
    if not isAdded then
      redis.pcall('DEL', jobs .. id, marks .. id)
      for list = 1, 2 do
        if redis.pcall('LINDEX', KEYS[list], 0) == id then redis.pcall('LPOP', KEYS[list]) end
      end
      return type(failure) == 'table' and failure or redis.error_reply('ERR ' .. tostring(failure))
    end
  end
  if name ~= '' then
    local colon = known[2] and string.find(known[2], ':', 1, true)
    if colon and tonumber(string.sub(known[2], 1, colon - 1)) > nowMs then
      if string.sub(known[2], colon + 1) ~= id then answer = answer + 2 end
    elseif answer == 0 then
      redis.call('SET', names .. name, expiresAtMs .. ':' .. id, 'PX', keepMs)
    end
  end
  answers[#answers + 1] = answer
end
return table.concat(answers)
`;

export const acceptScriptSha = createHash('sha1').update(acceptScript).digest('hex');

/** The keys and the first arguments, which do not change from group to group. */
export function acceptScriptKeys(namespace: string) {
  const jobs = `${bullPrefix(namespace)}:${queueNames.event}:`;
  return {
    keys: jobKeys.map((key) => `${jobs}${key}`),
    prefixes: [jobs, `{${namespace}}:mark:`, `{${namespace}}:name:`],
  };
}

/** The keys without which nothing can be accepted, and the type that each must have where it is there. */
export function acceptedTypes(namespace: string): readonly (readonly [key: string, type: string])[] {
  const jobs = `${bullPrefix(namespace)}:${queueNames.event}:`;
  return [
    [`${jobs}wait`, 'list'],
    [`${jobs}paused`, 'list'],
    [`${jobs}meta`, 'hash'],
    [`${jobs}events`, 'stream'],
    [`${jobs}marker`, 'zset'],
  ];
}
