import { readOccurrenceMs } from '../store/occurrence-time.ts';
import { isProbeUsed } from './is-probe-used.ts';
import type { ClaimItem, SettleItem } from './ledger-items.ts';
import type { EffectFacts, Subject } from './ledger.ts';

/** What the claim function takes; `at` is its place in the group, from 1. */
export function toClaimRow({ effectKey, request }: ClaimItem, index: number) {
  const { nowMs, leaseMs, facts, subject } = request;
  return {
    at: index + 1,
    effect_key: effectKey,
    now_ms: nowMs,
    lease_ms: leaseMs,
    ...toSubjectColumns(subject),
    ...toFactColumns(facts),
  };
}

/** What the settle function takes; `at` is its place in the group, from 1. */
export function toSettleRow({ effectKey, fence, settlement, request }: SettleItem, index: number) {
  const { nowMs, facts, subject } = request;
  return {
    at: index + 1,
    effect_key: effectKey,
    fence,
    now_ms: nowMs,
    state: settlement.state,
    reference: settlement.state === 'sent' ? settlement.reference : '',
    cause: 'cause' in settlement ? settlement.cause : '',
    is_probe_used: isProbeUsed(settlement),
    ...toSubjectColumns(subject),
    ...toFactColumns(facts),
  };
}

function toSubjectColumns(subject: Subject | undefined) {
  return {
    subject_key: subject?.key ?? null,
    edition: subject?.edition ?? '',
    content_hash: subject?.contentHash ?? '',
  };
}

function toFactColumns(facts: EffectFacts) {
  return {
    occurred_at_ms: readOccurrenceMs(facts.occurrence),
    recipe: facts.recipe,
    destination: facts.destination,
    event_kind: facts.eventKind,
    meeting_id: facts.meetingId,
    occurrence: facts.occurrence,
    target_hash: facts.targetHash,
    part: facts.part,
    trace_id: facts.traceId,
    received_at_ms: facts.receivedAtMs,
  };
}
