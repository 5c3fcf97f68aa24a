import { readOccurrenceMs } from '../store/occurrence-time.ts';
import { describeScript } from '../store/redis-script.ts';
import { isProbeUsed } from './is-probe-used.ts';
import type { SettleItem } from './ledger-items.ts';
import { writeFacts } from './redis-facts.ts';
import { scriptParts } from './redis-script-parts.ts';

/**
 * Settles a group of effects, one after the other. KEYS: the prefix. ARGV: for each what {@link listSettle} lists.
 * Answers with 1 or 0 for each.
 */
export const settleScript = describeScript(`${scriptParts}
local function settle(at)
  local key, fence, nowText, to = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local reference, cause, isProbeUsed, subject = ARGV[at + 4], ARGV[at + 5], ARGV[at + 6], ARGV[at + 7]
  local edition, contentHash, occurredAtMs, facts = ARGV[at + 8], ARGV[at + 9], ARGV[at + 10], ARGV[at + 11]
  local row = prefix .. key
  local state, hasFence, hasReference, hasCause, probes, lease, known, hasEdition, hasHash, hasOccurred = unpack(call(
    'HMGET', row, 'state', 'fence', 'reference', 'cause', 'probes', 'lease_until_ms', 'subject_key', 'edition',
    'content_hash', 'occurred_at_ms'))
  if not state then
    closeSubject(subject, key)
    -- The claim was lost, and nobody has claimed since.
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
  if subject == '' then
    subject, edition, contentHash, occurredAtMs = known, hasEdition, hasHash, hasOccurred
  elseif subject ~= known or edition ~= hasEdition or contentHash ~= hasHash or occurredAtMs ~= hasOccurred then
    call('HSET', row, 'subject_key', subject, 'edition', edition, 'content_hash', contentHash, 'occurred_at_ms',
      occurredAtMs)
  end
  if to == 'sent' then rememberSent(subject, key, reference, edition, contentHash, occurredAtMs) end
  if to ~= 'unknown' then closeSubject(subject, key) end
  enter(key, state, to, nowText)
  return 1
end

local answers = {}
for at = 1, #ARGV, 12 do answers[#answers + 1] = settle(at) end
return answers
`);

/** The arguments of one settlement: 12. */
export function listSettle({ effectKey, fence, settlement, request }: SettleItem): (string | number)[] {
  const { nowMs, facts, subject } = request;
  return [
    effectKey,
    fence,
    nowMs,
    settlement.state,
    settlement.state === 'sent' ? settlement.reference : '',
    'cause' in settlement ? settlement.cause : '',
    isProbeUsed(settlement) ? 1 : 0,
    subject?.key ?? '',
    subject?.edition ?? '',
    subject?.contentHash ?? '',
    readOccurrenceMs(facts.occurrence),
    writeFacts(facts),
  ];
}
