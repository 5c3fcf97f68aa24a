import { expect } from 'vitest';

import type { Claim, ClaimRequest, Settlement } from '../engine/ledger/ledger.ts';
import { aboutSubject, requestAt, sampleFacts, sentAs, startMs } from './effect-requests.ts';
import type { OpenLedger } from './use-ledger.ts';

/** What a delivery says of its meeting, where not as usual. */
interface Wish {
  readonly edition?: string;
  readonly content?: string;
  readonly occurrence?: string;
  readonly atMs?: number;
}

/** The claim of one delivery of a subject's meeting. */
function ask(subject: string, wish: Wish): ClaimRequest {
  const { edition = 'monday', content = 'v1', occurrence = sampleFacts.occurrence, atMs = 0 } = wish;
  return requestAt(startMs + atMs, {
    subject: aboutSubject(subject, edition, content),
    facts: { ...sampleFacts, occurrence },
  });
}

/** Steps on the effects of subjects, in short words. */
export function actOnSubjects(store: OpenLedger) {
  let subjects = 0;
  const newSubject = (): string => `subject-${(subjects += 1)}`;
  const claim = (subject: string, effect: string, wish: Wish = {}): Promise<Claim> =>
    store.ledger.claim(`${subject} ${effect}`, ask(subject, wish));
  const settle = (
    subject: string,
    effect: string,
    settlement: Settlement,
    wish: Wish = {},
  ): Promise<boolean> => store.ledger.settle(`${subject} ${effect}`, 1, settlement, ask(subject, wish));
  const send = async (subject: string, effect: string, wish: Wish = {}): Promise<void> => {
    expect(await claim(subject, effect, wish)).toMatchObject({ state: 'claimed' });
    expect(await settle(subject, effect, sentAs(`ref ${effect}`), wish)).toBe(true);
  };
  return { newSubject, ask, claim, settle, send };
}
