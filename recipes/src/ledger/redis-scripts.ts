/**
 * The ledger's steps on Redis, each one atomic. An effect is a hash: state, fence, lease_until_ms,
 * first_intent_at_ms, probes, started, rested_start, reference, cause and its facts.
 */

/**
 * ARGV: now, lease, startedTimes, earliest, then facts as name and value. A start before this one that
 * did not rest may have sent something whose trace is lost (appendfsync everysec): that is a probe.
 */
export const claimScript = `
local key = KEYS[1]
local now, lease = tonumber(ARGV[1]), tonumber(ARGV[2])
local started, earliest = tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call('HGET', key, 'state')
if state == 'sent' then return {'sent', redis.call('HGET', key, 'reference') or ''} end
if state == 'failed' then return {'failed', redis.call('HGET', key, 'cause') or ''} end
local until_ms = tonumber(redis.call('HGET', key, 'lease_until_ms') or '0')
local first = tonumber(redis.call('HGET', key, 'first_intent_at_ms') or ARGV[1])
local unsettled = state == 'sending' or state == 'unknown'
if unsettled and until_ms > now then return {'busy', tostring(until_ms)} end
if not unsettled and started > 1 then
  local rested = tonumber(redis.call('HGET', key, 'rested_start') or '0')
  if rested ~= started - 1 then
    unsettled = true
    first = math.min(first, earliest)
  end
end
local fence = redis.call('HINCRBY', key, 'fence', 1)
redis.call('HSET', key, 'state', 'sending', 'lease_until_ms', string.format('%.0f', now + lease),
  'first_intent_at_ms', string.format('%.0f', first), 'started', ARGV[3])
for i = 5, #ARGV, 2 do redis.call('HSET', key, ARGV[i], ARGV[i + 1]) end
redis.call('PERSIST', key)
if unsettled then
  local probes = redis.call('HINCRBY', key, 'probes', 1)
  return {'probe', tostring(fence), string.format('%.0f', first), tostring(probes)}
end
return {'claimed', tostring(fence)}
`;

/**
 * ARGV: fence, state, reference, cause, milliseconds to keep (0 for ever), 1 when a probe was used, then
 * facts as name and value. Returns 1 or 0. Without a fence the claim was lost, and nobody has claimed since.
 */
export const settleScript = `
local key = KEYS[1]
local fence = redis.call('HGET', key, 'fence')
if not fence and (ARGV[2] == 'sent' or ARGV[2] == 'failed') then
  fence = ARGV[1]
  redis.call('HSET', key, 'fence', fence, 'state', 'sending')
  for i = 7, #ARGV, 2 do redis.call('HSET', key, ARGV[i], ARGV[i + 1]) end
end
if fence ~= ARGV[1] then return 0 end
if redis.call('HGET', key, 'state') ~= 'sending' then return 0 end
redis.call('HSET', key, 'state', ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', key, 'reference', ARGV[3]) end
if ARGV[4] ~= '' then redis.call('HSET', key, 'cause', ARGV[4]) end
if ARGV[2] == 'pending' then
  redis.call('HSET', key, 'lease_until_ms', '0', 'rested_start', redis.call('HGET', key, 'started'))
end
if ARGV[6] == '0' and tonumber(redis.call('HGET', key, 'probes') or '0') > 0 then
  redis.call('HINCRBY', key, 'probes', -1)
end
if ARGV[5] ~= '0' then redis.call('PEXPIRE', key, ARGV[5]) end
return 1
`;

/** ARGV: fence, until. Returns 1 or 0. */
export const renewScript = `
local key = KEYS[1]
if redis.call('HGET', key, 'fence') ~= ARGV[1] then return 0 end
if redis.call('HGET', key, 'state') ~= 'sending' then return 0 end
redis.call('HSET', key, 'lease_until_ms', ARGV[2])
return 1
`;

/**
 * ARGV: startedTimes, milliseconds to keep, then facts as name and value. A start whose predecessor left
 * no trace must not rest in its place: the next start would take the lost one for harmless.
 */
export const restScript = `
local key = KEYS[1]
local state = redis.call('HGET', key, 'state')
if state and state ~= 'pending' then return 0 end
local started = tonumber(ARGV[1])
if started > 1 and tonumber(redis.call('HGET', key, 'rested_start') or '0') ~= started - 1 then return 0 end
redis.call('HSET', key, 'state', 'pending', 'rested_start', ARGV[1])
for i = 3, #ARGV, 2 do redis.call('HSET', key, ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', key, ARGV[2])
return 1
`;
