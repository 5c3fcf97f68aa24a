import { readOccurrenceMs } from '../store/occurrence-time.ts';
import { describeScript } from '../store/redis-script.ts';
import type { ClaimItem } from './ledger-items.ts';
import { writeFacts } from './redis-facts.ts';
import { scriptParts } from './redis-script-parts.ts';
import { skipCauses, subjectLookMs, subjectPatienceMs } from './subject-rules.ts';

/**
 * Claims a group of effects, one after the other. KEYS: the prefix. ARGV: for each claim what {@link listClaim} lists.
 * Answers with what `readClaims` reads: one array for each. Redis is the slower side of a claim: commands are few.
 */
export const claimScript = describeScript(`${scriptParts}
local sentNames = { effect = true, reference = true, edition = true, content_hash = true, occurred_at_ms = true }

-- Until when another effect of the subject is to be waited for; nil when there is none.
local function waitFor(subject, key, now)
  local untilMs
  for other in pairs(subject) do
    if not sentNames[other] and other ~= key then
      local state, lease = unpack(call('HMGET', prefix .. other, 'state', 'lease_until_ms'))
      if state == 'sending' or state == 'unknown' then
        lease = tonumber(lease)
        local laterMs = lease
        if lease <= now then laterMs = math.min(lease + ${subjectPatienceMs}, now + ${subjectLookMs}) end
        if laterMs > now and (not untilMs or laterMs > untilMs) then untilMs = laterMs end
      end
    end
  end
  return untilMs
end

-- Why there is nothing to send, if so, or the reference of what is to be changed.
local function compare(sent, edition, contentHash, occurredAtMs)
  if not sent.effect then return false, '' end
  local isKnown = sent.edition ~= '' and edition ~= ''
  if isKnown and sent.edition ~= edition then return false, '' end
  if sent.content_hash == contentHash then return '${skipCauses.same}', '' end
  if not isKnown then return false, '' end
  local sentMs, askedMs = tonumber(sent.occurred_at_ms), tonumber(occurredAtMs)
  if askedMs > 0 and askedMs < sentMs then return '${skipCauses.older}', '' end
  if sent.reference == '' then return '${skipCauses.unplaced}', '' end
  return false, sent.reference
end

local function claim(at)
  local key, nowText, leaseText, isComplete, earliest = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4]
  local subject, edition, contentHash, occurredAtMs = ARGV[at + 5], ARGV[at + 6], ARGV[at + 7], ARGV[at + 8]
  local facts = ARGV[at + 9]
  local row, now = prefix .. key, tonumber(nowText)
  local state, fence, attempts, lease, first, probes, reference, cause, previous, known = unpack(call('HMGET', row,
    'state', 'fence', 'attempts', 'lease_until_ms', 'first_intent_at_ms', 'probes', 'reference', 'cause', 'previous',
    'subject_key'))
  if state == 'sent' then return { state, reference or '' } end
  if state == 'skipped' or state == 'failed' or state == 'parked' then return { state, cause or '' } end
  local isUnsettled = state == 'sending' or state == 'unknown'
  if isUnsettled and tonumber(lease) > now then return { 'busy', lease } end

  if not isUnsettled then
    previous = ''
    if subject ~= '' then
      local fields = call('HGETALL', subjectOf(subject))
      if fields[1] then
        local sent = {}
        for nth = 1, #fields, 2 do sent[fields[nth]] = fields[nth + 1] end
        local untilMs = waitFor(sent, key, now)
        if untilMs then return { 'busy', untilMs } end
        local skipped
        skipped, previous = compare(sent, edition, contentHash, occurredAtMs)
        if skipped then
          if not state then
            call('HSET', row, 'fence', '0', 'attempts', '0', 'probes', '0', 'lease_until_ms', '0',
              'first_intent_at_ms', nowText, 'facts', facts)
          end
          call('HSET', row, 'state', 'skipped', 'cause', skipped, 'changed_at_ms', nowText, 'subject_key', subject,
            'edition', edition, 'content_hash', contentHash, 'occurred_at_ms', occurredAtMs)
          enter(key, state, 'skipped', nowText)
          return { 'skipped', skipped }
        end
      end
    end
  end

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
    if isUnsettled or subject == '' then
      -- The subject that the effect had before stays.
      subject = known or ''
    else
      call('HSET', row, 'subject_key', subject, 'edition', edition, 'content_hash', contentHash, 'occurred_at_ms',
        occurredAtMs)
    end
  else
    call('HSET', row, 'state', 'sending', 'fence', fence, 'attempts', attempts, 'probes', probes, 'lease_until_ms',
      leaseText, 'first_intent_at_ms', first, 'changed_at_ms', nowText, 'facts', facts, 'previous', previous,
      'subject_key', subject, 'edition', edition, 'content_hash', contentHash, 'occurred_at_ms', occurredAtMs)
  end
  if subject ~= '' then call('HSET', subjectOf(subject), key, '1') end
  -- A change that has begun may stop half way: what is there is not known until one has come through.
  if not isUnsettled and previous ~= '' then call('HSET', subjectOf(subject), 'content_hash', '') end
  enter(key, state, 'sending', nowText)
  if isProbe then return { 'probe', fence, first, probes, previous or '' } end
  return { 'claimed', fence, previous }
end

local answers = {}
for at = 1, #ARGV, 10 do answers[#answers + 1] = claim(at) end
return answers
`);

/** The arguments of one claim: 10. */
export function listClaim({ effectKey, request }: ClaimItem): (string | number)[] {
  const { nowMs, leaseMs, isTraceComplete, earliestMs, subject, facts } = request;
  return [
    effectKey,
    nowMs,
    nowMs + leaseMs,
    isTraceComplete ? 1 : 0,
    earliestMs,
    subject?.key ?? '',
    subject?.edition ?? '',
    subject?.contentHash ?? '',
    readOccurrenceMs(facts.occurrence),
    writeFacts(facts),
  ];
}
