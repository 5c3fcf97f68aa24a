import { createHash } from 'node:crypto';

import type { ClaimRequest, EffectFacts, Settlement, DedupeKey } from '../engine/ledger/ledger.ts';

export const startMs = 1_795_000_000_000;
export const leaseMs = 15_000;

export const sampleFacts: EffectFacts = {
  recipe: 'slack-recap',
  destination: 'slack',
  eventKind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:00:00Z',
  targetHash: 'a'.repeat(64),
  part: 0,
  traceId: '0af7651916cd43dd8448eb211c80319c',
  receivedAtMs: startMs - 2000,
};

/** A claim of an effect whose job has just begun for the first time. */
export function requestAt(nowMs: number, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return { nowMs, leaseMs, facts: sampleFacts, isTraceComplete: true, earliestMs: startMs - 2000, ...more };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What an effect is to send for a dedupe key. */
export function dedupeBy(name: string, meetingStart: string, content: string): DedupeKey {
  return { key: hash(name), meetingStart, contentHash: hash(content) };
}

export const sentAs = (reference: string): Settlement => ({ state: 'sent', reference });
