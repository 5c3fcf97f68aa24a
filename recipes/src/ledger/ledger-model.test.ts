import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useLedger } from '../testing/use-ledger.ts';
import type { Claim, EffectFacts, Settlement } from './ledger.ts';

const facts: EffectFacts = {
  recipe: 'r',
  destination: 'slack',
  eventKind: 'k',
  meetingId: 'm',
  occurrence: 'o',
  targetHash: 't',
  part: 0,
};
const leaseMs = 100;

/** The ledger's rules for one effect, as plainly as they can be said. */
class LedgerModel {
  state: 'pending' | 'sending' | 'unknown' | 'sent' | 'failed' = 'pending';
  fence = 0;
  probes = 0;
  leaseUntilMs = 0;
  firstIntentAtMs: number | undefined;
  note = '';

  claim(nowMs: number): Claim {
    if (this.state === 'sent') return { state: 'sent', reference: this.note };
    if (this.state === 'failed') return { state: 'failed', cause: this.note };
    const isOpen = this.state !== 'pending';
    if (isOpen && this.leaseUntilMs > nowMs) return { state: 'busy', untilMs: this.leaseUntilMs };
    this.fence += 1;
    this.firstIntentAtMs ??= nowMs;
    this.state = 'sending';
    this.leaseUntilMs = nowMs + leaseMs;
    if (!isOpen) return { state: 'claimed', fence: this.fence };
    this.probes += 1;
    const { fence, firstIntentAtMs, probes } = this;
    return { state: 'probe', fence, firstIntentAtMs, probes };
  }

  settle(fence: number, settlement: Settlement): boolean {
    if (fence !== this.fence || this.state !== 'sending') return false;
    this.state = settlement.state;
    if (settlement.state === 'sent') this.note = settlement.reference;
    if (settlement.state === 'failed') this.note = settlement.cause;
    return true;
  }

  renew(fence: number, untilMs: number): boolean {
    if (fence !== this.fence || this.state !== 'sending') return false;
    this.leaseUntilMs = untilMs;
    return true;
  }
}

const settlements = fc.constantFrom<Settlement>(
  { state: 'sent', reference: 'r' },
  { state: 'failed', cause: 'c' },
  { state: 'pending' },
  { state: 'pending' },
  { state: 'unknown', cause: 'u' },
  { state: 'unknown', cause: 'u' },
);
const age = fc.integer({ min: 0, max: 1 });
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('claim' as const), afterMs: fc.integer({ min: 0, max: 150 }) }),
    fc.record({ do: fc.constant('settle' as const), age, settlement: settlements }),
    fc.record({ do: fc.constant('renew' as const), age }),
  ),
  { minLength: 1, maxLength: 12 },
);

describeEachStore(
  'the ledger',
  (kind) => {
    const store = useLedger(() => openTestStore(kind));
    let lastKey = 0;

    it('does what its rules say, in whatever order things happen', async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          lastKey += 1;
          const key = `effect-${lastKey}`;
          const model = new LedgerModel();
          const answers: unknown[] = [];
          const expected: unknown[] = [];
          let nowMs = 1_795_000_000_000;
          for (const step of taken) {
            const fence = model.fence - ('age' in step ? step.age : 0);
            if (step.do === 'claim') {
              nowMs += step.afterMs;
              const request = { nowMs, leaseMs, facts, startedTimes: 1, earliestMs: nowMs };
              answers.push(await store.ledger.claim(key, request));
              expected.push(model.claim(nowMs));
            } else if (step.do === 'settle') {
              answers.push(await store.ledger.settle(key, fence, step.settlement, nowMs));
              expected.push(model.settle(fence, step.settlement));
            } else {
              answers.push(await store.ledger.renew(key, fence, nowMs + leaseMs));
              expected.push(model.renew(fence, nowMs + leaseMs));
            }
          }
          expect(answers).toEqual(expected);
        }),
        { numRuns: 60 },
      );
    });
  },
  ['redis', 'postgres'],
);
