import { defineRedisScript } from '@aftermeet/queue';
import { z } from 'zod';

import { readOccurrenceMs } from '../store/store-tools.ts';
import type { ClaimItem, SettleItem } from './ledger-rows.ts';
import {
  DISCARDED,
  type EffectFacts,
  isProbeUsed,
  retentionMs,
  skipCauses,
  dedupeLookMs,
  dedupePatienceMs,
} from './ledger.ts';

/**
 * What the ledger's scripts share. ARGV[1] is the prefix of every key of the ledger; it puts them into one slot of a
 * cluster. An effect is the hash `<prefix><effect key>`; a dedupe key the hash `<prefix>dedupe:<key>` with what was
 * sent last and a field for each effect that is sending or unknown, named by its bare key: Redis keeps a hash small
 * whose names have at most 64 characters. `<prefix>state:<state>` sorts the keys of the effects by their last change.
 * In a hash an empty text is the same as none.
 *
 * A script takes only keys that the caller declares in KEYS. Some are known only from what is stored (the dedupe key of an
 * earlier claim, the other effects of a dedupe key). A step that needs such a key stops before its first write and answers
 * with `undeclared` and the missing names; the caller runs it again with them.
 */
const scriptParts = `
local call, prefix = redis.call, ARGV[1]
local keepMs = { ${Object.entries(retentionMs)
  .map(([state, forMs]) => `${state} = '${forMs}'`)
  .join(', ')} }
local declared = {}
for _, key in ipairs(KEYS) do declared[key] = true end

local function keyOf(name)
  local key = prefix .. name
  if not declared[key] then error({ undeclared = { name } }) end
  return key
end

-- The key of a dedupe key; false when the effect has none.
local function dedupeRowOf(dedupeKey) return dedupeKey and dedupeKey ~= '' and keyOf('dedupe:' .. dedupeKey) end

-- Runs a step for each item of the group: ARGV holds the prefix, then as many values for each as the width says.
local function runSteps(width, step)
  local answers = {}
  for at = 2, #ARGV, width do
    local isDone, answer = pcall(step, at)
    if not isDone then
      if type(answer) ~= 'table' or not answer.undeclared then error(answer, 0) end
      answer = { 'undeclared', unpack(answer.undeclared) }
    end
    answers[#answers + 1] = answer
  end
  return answers
end

-- Only a lease that is over is settled without holding it.
local function isStranded(state, lease, nowText) return state == 'sending' and tonumber(lease) <= tonumber(nowText) end

-- Files an effect under its state, and lets its row expire or not.
local function enter(key, from, to, nowText)
  if from and from ~= to then call('ZREM', keyOf('state:' .. from), key) end
  call('ZADD', keyOf('state:' .. to), nowText, key)
  if keepMs[to] then
    call('PEXPIRE', keyOf(key), keepMs[to])
  elseif from and keepMs[from] then
    call('PERSIST', keyOf(key))
  end
end

-- The effect is neither sending nor unknown any more.
local function closeDedupe(dedupeRow, key)
  if dedupeRow then call('HDEL', dedupeRow, key) end
end

local function rememberSent(dedupeRow, key, reference, meetingStart, contentHash, occurredAtMs)
  if not dedupeRow then return end
  call('HSET', dedupeRow, 'effect', key, 'reference', reference or '', 'meeting_start', meetingStart or '', 'content_hash',
    contentHash or '', 'occurred_at_ms', occurredAtMs or '0')
  call('PEXPIRE', dedupeRow, keepMs.sent)
end
`;

/**
 * Claims a group of effects, one after the other. ARGV: the prefix, then for each claim what {@link listClaim} lists.
 * Answers with what `readClaims` reads: one array for each. Redis is the slower side of a claim: commands are few.
 */
export const claimScript = defineRedisScript(`${scriptParts}
local sentNames = { effect = true, reference = true, meeting_start = true, content_hash = true, occurred_at_ms = true }

-- Until when another effect of the dedupe key is to be waited for; nil when there is none.
local function waitFor(fields, key, now)
  local untilMs
  local undeclared = {}
  for other in pairs(fields) do
    if not sentNames[other] and other ~= key then
      local row = prefix .. other
      if not declared[row] then
        undeclared[#undeclared + 1] = other
      else
        local state, lease = unpack(call('HMGET', row, 'state', 'lease_until_ms'))
        if state == 'sending' or state == 'unknown' then
          lease = tonumber(lease)
          local laterMs = lease
          if lease <= now then laterMs = math.min(lease + ${dedupePatienceMs}, now + ${dedupeLookMs}) end
          if laterMs > now and (not untilMs or laterMs > untilMs) then untilMs = laterMs end
        end
      end
    end
  end
  if undeclared[1] then error({ undeclared = undeclared }) end
  return untilMs
end

-- Why there is nothing to send, if so, or the reference of what is to be changed.
local function compare(sent, meetingStart, contentHash, occurredAtMs)
  if not sent.effect then return false, '' end
  local isKnown = sent.meeting_start ~= '' and meetingStart ~= ''
  if isKnown and sent.meeting_start ~= meetingStart then return false, '' end
  if sent.content_hash == contentHash then return '${skipCauses.same}', '' end
  if not isKnown then return false, '' end
  local sentMs, askedMs = tonumber(sent.occurred_at_ms), tonumber(occurredAtMs)
  if askedMs > 0 and askedMs < sentMs then return '${skipCauses.older}', '' end
  if sent.reference == '' then return '${skipCauses.unplaced}', '' end
  return false, sent.reference
end

local function claim(at)
  local key, nowText, leaseText, isComplete, earliest = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4]
  local dedupeKey, meetingStart, contentHash, occurredAtMs = ARGV[at + 5], ARGV[at + 6], ARGV[at + 7], ARGV[at + 8]
  local facts = ARGV[at + 9]
  local row, now = keyOf(key), tonumber(nowText)
  local state, fence, attempts, lease, first, probes, reference, cause, previous, known = unpack(call('HMGET', row,
    'state', 'fence', 'attempts', 'lease_until_ms', 'first_intent_at_ms', 'probes', 'reference', 'cause', 'previous',
    'dedupe_key'))
  if state == 'sent' then return { state, reference or '' } end
  if state == 'skipped' or state == 'failed' or state == 'parked' or state == 'held' then
    return { state, cause or '' }
  end
  local isUnsettled = state == 'sending' or state == 'unknown'
  if isUnsettled and tonumber(lease) > now then return { 'busy', lease } end

  if not isUnsettled then
    previous = ''
    if dedupeKey ~= '' then
      local fields = call('HGETALL', dedupeRowOf(dedupeKey))
      if fields[1] then
        local sent = {}
        for nth = 1, #fields, 2 do sent[fields[nth]] = fields[nth + 1] end
        local untilMs = waitFor(sent, key, now)
        if untilMs then return { 'busy', untilMs } end
        local skipped
        skipped, previous = compare(sent, meetingStart, contentHash, occurredAtMs)
        if skipped then
          if not state then
            call('HSET', row, 'fence', '0', 'attempts', '0', 'probes', '0', 'lease_until_ms', '0',
              'first_intent_at_ms', nowText, 'facts', facts)
          end
          call('HSET', row, 'state', 'skipped', 'cause', skipped, 'changed_at_ms', nowText, 'dedupe_key', dedupeKey,
            'meeting_start', meetingStart, 'content_hash', contentHash, 'occurred_at_ms', occurredAtMs)
          enter(key, state, 'skipped', nowText)
          return { 'skipped', skipped }
        end
      end
    end
  end

  -- The dedupe key that the effect had before stays, unless this claim is a new attempt with one of its own.
  local isDedupeKept = state and (isUnsettled or dedupeKey == '')
  local dedupeRow
  if isDedupeKept then dedupeRow = dedupeRowOf(known) else dedupeRow = dedupeRowOf(dedupeKey) end

  -- An earlier start of the job left no trace: what it stored is lost, and what it sent is not known.
  local isLost = not isUnsettled and isComplete == '0'
  fence, attempts, probes, first = (fence or 0) + 1, (attempts or 0) + 1, tonumber(probes or 0), tonumber(first or now)
  if isLost then
    -- The lost claim had a fence of its own, which this one must not have again.
    fence = math.max(fence, math.floor(now / 1000))
    first = math.min(first, tonumber(earliest))
  end
  local isProbe = isUnsettled or isLost
  if isProbe then probes = probes + 1 end
  if state then
    call('HSET', row, 'state', 'sending', 'fence', fence, 'attempts', attempts, 'probes', probes, 'lease_until_ms',
      leaseText, 'first_intent_at_ms', first, 'changed_at_ms', nowText, 'cause', '', 'previous', previous or '')
    if not isDedupeKept then
      call('HSET', row, 'dedupe_key', dedupeKey, 'meeting_start', meetingStart, 'content_hash', contentHash, 'occurred_at_ms',
        occurredAtMs)
    end
  else
    call('HSET', row, 'state', 'sending', 'fence', fence, 'attempts', attempts, 'probes', probes, 'lease_until_ms',
      leaseText, 'first_intent_at_ms', first, 'changed_at_ms', nowText, 'facts', facts, 'previous', previous,
      'dedupe_key', dedupeKey, 'meeting_start', meetingStart, 'content_hash', contentHash, 'occurred_at_ms', occurredAtMs)
  end
  if dedupeRow then call('HSET', dedupeRow, key, '1') end
  -- A change that has begun may stop half way: what is there is not known until one has come through.
  if not isUnsettled and previous ~= '' then call('HSET', dedupeRow, 'content_hash', '') end
  enter(key, state, 'sending', nowText)
  if isProbe then return { 'probe', fence, first, probes, previous or '' } end
  return { 'claimed', fence, previous }
end

return runSteps(10, claim)
`);

/** The arguments of one claim: 10. */
export function listClaim({ effectKey, request }: ClaimItem): (string | number)[] {
  const { nowMs, leaseMs, isTraceComplete, earliestMs, dedupe, facts } = request;
  return [
    effectKey,
    nowMs,
    nowMs + leaseMs,
    isTraceComplete ? 1 : 0,
    earliestMs,
    dedupe?.key ?? '',
    dedupe?.meetingStart ?? '',
    dedupe?.contentHash ?? '',
    readOccurrenceMs(facts.occurrence),
    writeFacts(facts),
  ];
}

/**
 * Settles a group of effects, one after the other. ARGV: the prefix, then for each what {@link listSettle} lists.
 * Answers with 1 or 0 for each.
 */
export const settleScript = defineRedisScript(`${scriptParts}
local function settle(at)
  local key, fence, nowText, to = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local reference, cause, isProbeUsed, dedupeKey = ARGV[at + 4], ARGV[at + 5], ARGV[at + 6], ARGV[at + 7]
  local meetingStart, contentHash, occurredAtMs, facts = ARGV[at + 8], ARGV[at + 9], ARGV[at + 10], ARGV[at + 11]
  local row = keyOf(key)
  local state, hasFence, hasReference, hasCause, probes, lease, known, hasStart, hasHash, hasOccurred = unpack(call(
    'HMGET', row, 'state', 'fence', 'reference', 'cause', 'probes', 'lease_until_ms', 'dedupe_key', 'meeting_start',
    'content_hash', 'occurred_at_ms'))
  local knownKey, dedupeRow = dedupeRowOf(known), dedupeRowOf(dedupeKey)
  if not state then
    closeDedupe(dedupeRow, key)
    -- The claim was lost, and there was none since.
    if to == 'pending' or to == 'unknown' then return 0 end
    call('HSET', row, 'fence', fence, 'attempts', '1', 'probes', '0', 'first_intent_at_ms', nowText, 'facts', facts)
    lease = '0'
  elseif hasFence ~= fence then
    return 0
  elseif state ~= 'sending' then
    return (state == to and (hasReference or '') == reference and (hasCause or '') == cause) and 1 or 0
  end
  if to == 'sent' then
    call('HSET', row, 'state', to, 'changed_at_ms', nowText, 'reference', reference)
  else
    if to == 'pending' then lease = '0' elseif isProbeUsed == '0' then lease = nowText end
    call('HSET', row, 'state', to, 'changed_at_ms', nowText, 'cause', cause, 'lease_until_ms', lease)
    if isProbeUsed == '0' and tonumber(probes) > 0 then call('HINCRBY', row, 'probes', -1) end
  end
  if dedupeKey == '' then
    dedupeKey, meetingStart, contentHash, occurredAtMs = known, hasStart, hasHash, hasOccurred
    dedupeRow = knownKey
  elseif dedupeKey ~= known or meetingStart ~= hasStart or contentHash ~= hasHash or occurredAtMs ~= hasOccurred then
    call('HSET', row, 'dedupe_key', dedupeKey, 'meeting_start', meetingStart, 'content_hash', contentHash, 'occurred_at_ms',
      occurredAtMs)
  end
  if to == 'sent' then rememberSent(dedupeRow, key, reference, meetingStart, contentHash, occurredAtMs) end
  if knownKey ~= dedupeRow then closeDedupe(knownKey, key) end
  if to ~= 'unknown' then
    closeDedupe(dedupeRow, key)
  elseif dedupeRow then
    -- The claim may have been made without the dedupe key.
    call('HSET', dedupeRow, key, '1')
  end
  enter(key, state, to, nowText)
  return 1
end

return runSteps(12, settle)
`);

/** The arguments of one settlement: 12. */
export function listSettle({ effectKey, fence, settlement, request }: SettleItem): (string | number)[] {
  const { nowMs, facts, dedupe } = request;
  return [
    effectKey,
    fence,
    nowMs,
    settlement.state,
    settlement.state === 'sent' ? settlement.reference : '',
    'cause' in settlement ? settlement.cause : '',
    isProbeUsed(settlement) ? 1 : 0,
    dedupe?.key ?? '',
    dedupe?.meetingStart ?? '',
    dedupe?.contentHash ?? '',
    readOccurrenceMs(facts.occurrence),
    writeFacts(facts),
  ];
}

/** Prolongs a lease. KEYS: the effect. ARGV: fence, until. Answers with 1 or 0. */
export const renewScript = defineRedisScript(`
local state, fence = unpack(redis.call('HMGET', KEYS[1], 'state', 'fence'))
if state ~= 'sending' or fence ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'lease_until_ms', ARGV[2])
return 1
`);

/** Lets an ended effect be tried again. ARGV: prefix, effect key, now. Answers with the state it had, in an array. */
export const reopenScript = defineRedisScript(`${scriptParts}
return runSteps(2, function(at)
  local key, nowText = ARGV[at], ARGV[at + 1]
  local row = keyOf(key)
  local state, dedupeKey, lease = unpack(call('HMGET', row, 'state', 'dedupe_key', 'lease_until_ms'))
  local isLost = isStranded(state, lease, nowText)
  if state ~= 'failed' and state ~= 'skipped' and state ~= 'parked' and not isLost then return state end
  local dedupeRow = dedupeRowOf(dedupeKey)
  local to = (state == 'parked' or isLost) and 'unknown' or 'pending'
  call('HSET', row, 'state', to, 'changed_at_ms', nowText, 'probes', '0', 'cause', '', 'lease_until_ms',
    to == 'unknown' and nowText or '0')
  if to == 'unknown' and dedupeRow then call('HSET', dedupeRow, key, '1') end
  enter(key, state, to, nowText)
  return isLost and 'unknown' or state
end)
`);

/** Lets what was sent be sent again. ARGV: prefix, effect key, now. Answers with the state it had, in an array. */
export const resendScript = defineRedisScript(`${scriptParts}
return runSteps(2, function(at)
  local key, nowText = ARGV[at], ARGV[at + 1]
  local row = keyOf(key)
  local state, dedupeKey = unpack(call('HMGET', row, 'state', 'dedupe_key'))
  if state ~= 'sent' then return state end
  local dedupeRow = dedupeRowOf(dedupeKey)
  call('HSET', row, 'state', 'unknown', 'changed_at_ms', nowText, 'probes', '0', 'cause', '', 'reference', '',
    'previous', '', 'lease_until_ms', nowText)
  if dedupeRow then
    if call('HGET', dedupeRow, 'effect') == key then
      call('HDEL', dedupeRow, 'effect', 'reference', 'meeting_start', 'content_hash', 'occurred_at_ms')
    end
    call('HSET', dedupeRow, key, '1')
  end
  enter(key, state, 'unknown', nowText)
  return state
end)
`);

/** Notes that what was sent was taken back. ARGV: prefix, effect key, now, cause. Answers with the state it had, in an array. */
export const recallScript = defineRedisScript(`${scriptParts}
return runSteps(3, function(at)
  local key, nowText, cause = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local row = keyOf(key)
  local state = call('HGET', row, 'state')
  if state ~= 'sent' then return state end
  call('HSET', row, 'changed_at_ms', nowText, 'cause', cause)
  enter(key, state, state, nowText)
  return state
end)
`);

/**
 * A person says what became of an effect. What was to change a reference has changed it; else there is none. ARGV:
 * prefix, effect key, the state it gets, now, the cause it gets. Answers with the state it had, in an array.
 */
export const decideScript = defineRedisScript(`${scriptParts}
return runSteps(4, function(at)
  local key, to, nowText, cause = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local row = keyOf(key)
  local state, dedupeKey, lease, previous, meetingStart, contentHash, occurredAtMs = unpack(call('HMGET', row, 'state',
    'dedupe_key', 'lease_until_ms', 'previous', 'meeting_start', 'content_hash', 'occurred_at_ms'))
  local isLost = isStranded(state, lease, nowText)
  if state ~= 'unknown' and state ~= 'parked' and state ~= 'failed' and not isLost then return state end
  local dedupeRow = dedupeRowOf(dedupeKey)
  call('HSET', row, 'state', to, 'changed_at_ms', nowText, 'lease_until_ms', '0', 'cause', cause)
  if to == 'sent' then
    call('HSET', row, 'reference', previous or '')
    rememberSent(dedupeRow, key, previous, meetingStart, contentHash, occurredAtMs)
  else
    call('HSET', row, 'probes', '0')
  end
  closeDedupe(dedupeRow, key)
  enter(key, state, to, nowText)
  return isLost and 'unknown' or state
end)
`);

/**
 * A person approves or discards a held effect. ARGV: prefix, effect key, the state it gets, now, the content that is approved.
 * Answers with the state it had, in an array.
 */
export const resolveHeldScript = defineRedisScript(`${scriptParts}
return runSteps(4, function(at)
  local key, to, nowText, content = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local row = keyOf(key)
  local state = call('HGET', row, 'state')
  if state ~= 'held' then return state end
  if to == 'pending' then call('HSET', row, 'approved', content) end
  call('HSET', row, 'state', to, 'changed_at_ms', nowText, 'cause', to == 'skipped' and '${DISCARDED}' or '')
  enter(key, state, to, nowText)
  return state
end)
`);

/**
 * The places, from 1, of the effects whose facts hold a text. KEYS: the effects. ARGV: the text as it stands in JSON. A
 * meeting is found by it, and an effect that has the same text for another of its facts: the caller looks.
 */
export const findOfMeetingScript = defineRedisScript(`
local found = {}
for nth, row in ipairs(KEYS) do
  local facts = redis.call('HGET', row, 'facts')
  if facts and string.find(facts, ARGV[1], 1, true) then found[#found + 1] = nth end
end
return found
`);

const text = z.string();

/** In this order, as JSON. */
const factsSchema = z.tuple([text, text, text, text, text, text, z.number(), text, z.number()]);

/** Made once: to make it for each row would take longer than all else that is done with a row. */
const writtenFactsSchema = text.transform(parseJson).pipe(factsSchema);

/** The facts as Redis keeps them: one text, because each field of a row costs both sides time. */
function writeFacts(facts: EffectFacts): string {
  const { recipe, destination, eventKind, meetingId, occurrence, targetHash, part, traceId, receivedAtMs } =
    facts;
  const list = [
    recipe,
    destination,
    eventKind,
    meetingId,
    occurrence,
    targetHash,
    part,
    traceId,
    receivedAtMs,
  ];
  return JSON.stringify(list);
}

/** The facts in the columns that PostgreSQL has for them; none when the text is not understood. */
export function readFactColumns(written: string | undefined): Readonly<Record<string, string | number>> {
  const { success, data } = writtenFactsSchema.safeParse(written);
  if (!success) return {};
  const [
    recipe,
    destination,
    event_kind,
    meeting_id,
    occurrence,
    target_hash,
    part,
    trace_id,
    received_at_ms,
  ] = data;
  return {
    recipe,
    destination,
    event_kind,
    meeting_id,
    occurrence,
    target_hash,
    part,
    trace_id,
    received_at_ms,
  };
}

function parseJson(written: string, context: z.core.$RefinementCtx<string>): unknown {
  try {
    return JSON.parse(written);
  } catch {
    context.addIssue('no JSON');
    return z.NEVER;
  }
}
