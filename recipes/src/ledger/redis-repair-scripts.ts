import { describeScript } from '../store/redis-script.ts';
import { scriptParts } from './redis-script-parts.ts';

/** Prolongs a lease. KEYS: the prefix. ARGV: effect key, fence, until. Answers with 1 or 0. */
export const renewScript = describeScript(`
local row = KEYS[1] .. ARGV[1]
local state, fence = unpack(redis.call('HMGET', row, 'state', 'fence'))
if state ~= 'sending' or fence ~= ARGV[2] then return 0 end
redis.call('HSET', row, 'lease_until_ms', ARGV[3])
return 1
`);

/** Lets an ended effect be tried again. KEYS: the prefix. ARGV: effect key, now. Answers with the state it had. */
export const reopenScript = describeScript(`${scriptParts}
local key, nowText = ARGV[1], ARGV[2]
local row = prefix .. key
local state, subject, lease = unpack(call('HMGET', row, 'state', 'subject_key', 'lease_until_ms'))
local isLost = isStranded(state, lease, nowText)
if state ~= 'failed' and state ~= 'skipped' and state ~= 'parked' and not isLost then return state end
local to = (state == 'parked' or isLost) and 'unknown' or 'pending'
call('HSET', row, 'state', to, 'changed_at_ms', nowText, 'probes', '0', 'cause', '', 'lease_until_ms',
  to == 'unknown' and nowText or '0')
if to == 'unknown' and subject and subject ~= '' then call('HSET', subjectOf(subject), key, '1') end
enter(key, state, to, nowText)
return isLost and 'unknown' or state
`);

/**
 * A person says what became of an effect. What was to change a reference has changed it; else there is none. KEYS: the
 * prefix. ARGV: effect key, the state it gets, now. Answers with the state it had.
 */
export const decideScript = describeScript(`${scriptParts}
local key, to, nowText = ARGV[1], ARGV[2], ARGV[3]
local row = prefix .. key
local state, subject, lease, previous, edition, contentHash, occurredAtMs = unpack(call('HMGET', row, 'state',
  'subject_key', 'lease_until_ms', 'previous', 'edition', 'content_hash', 'occurred_at_ms'))
local isLost = isStranded(state, lease, nowText)
if state ~= 'unknown' and state ~= 'parked' and state ~= 'failed' and not isLost then return state end
call('HSET', row, 'state', to, 'changed_at_ms', nowText, 'lease_until_ms', '0', 'cause', '')
if to == 'sent' then
  call('HSET', row, 'reference', previous or '')
  rememberSent(subject, key, previous, edition, contentHash, occurredAtMs)
else
  call('HSET', row, 'probes', '0')
end
closeSubject(subject, key)
enter(key, state, to, nowText)
return isLost and 'unknown' or state
`);
