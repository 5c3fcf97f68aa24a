import { expect } from 'vitest';

import type { Claim, ClaimRequest, Settlement } from '../engine/ledger/ledger.ts';
import { dedupeBy, requestAt, sampleFacts, sentAs, startMs } from './effect-requests.ts';
import type { OpenLedger } from './use-ledger.ts';

/** What a delivery says of its meeting, where not as usual. */
interface Wish {
  readonly meetingStart?: string;
  readonly content?: string;
  readonly occurrence?: string;
  readonly atMs?: number;
}

/** The claim of one delivery of a dedupe key's meeting. */
function ask(dedupe: string, wish: Wish): ClaimRequest {
  const { meetingStart = 'monday', content = 'v1', occurrence = sampleFacts.occurrence, atMs = 0 } = wish;
  return requestAt(startMs + atMs, {
    dedupe: dedupeBy(dedupe, meetingStart, content),
    facts: { ...sampleFacts, occurrence },
  });
}

/** Steps on the effects of dedupe keys, in short words. */
export function actOnDedupeKeys(store: OpenLedger) {
  let dedupes = 0;
  const newDedupeKey = (): string => `dedupe-${(dedupes += 1)}`;
  const claim = (dedupe: string, effect: string, wish: Wish = {}): Promise<Claim> =>
    store.ledger.claim(`${dedupe} ${effect}`, ask(dedupe, wish));
  const settle = (
    dedupe: string,
    effect: string,
    settlement: Settlement,
    wish: Wish = {},
  ): Promise<boolean> => store.ledger.settle(`${dedupe} ${effect}`, 1, settlement, ask(dedupe, wish));
  const send = async (dedupe: string, effect: string, wish: Wish = {}): Promise<void> => {
    expect(await claim(dedupe, effect, wish)).toMatchObject({ state: 'claimed' });
    expect(await settle(dedupe, effect, sentAs(`ref ${effect}`), wish)).toBe(true);
  };
  return { newDedupeKey, ask, claim, settle, send };
}
