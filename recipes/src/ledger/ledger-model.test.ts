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

const startMs = 1_795_000_000_000;
const earliestMs = startMs - 1000;

/** The ledger's rules for one effect, as plainly as they can be said. */
class LedgerModel {
  readonly #canForget: boolean;
  state: 'pending' | 'sending' | 'unknown' | 'sent' | 'failed' = 'pending';
  fence = 0;
  probes = 0;
  leaseUntilMs = 0;
  firstIntentAtMs: number | undefined;
  note = '';
  started = 0;
  restedStart = 0;

  /** A store that can forget counts the starts, and takes one without a trace for a lost one. */
  constructor(canForget: boolean) {
    this.#canForget = canForget;
  }

  claim(nowMs: number, startedTimes: number): Claim {
    if (this.state === 'sent') return { state: 'sent', reference: this.note };
    if (this.state === 'failed') return { state: 'failed', cause: this.note };
    const isLost = this.#canForget && startedTimes > 1 && this.restedStart !== startedTimes - 1;
    const isHeld = this.state !== 'pending';
    if (isHeld && this.leaseUntilMs > nowMs) return { state: 'busy', untilMs: this.leaseUntilMs };
    this.fence += 1;
    this.firstIntentAtMs ??= nowMs;
    if (!isHeld && isLost) this.firstIntentAtMs = Math.min(this.firstIntentAtMs, earliestMs);
    this.started = startedTimes;
    this.state = 'sending';
    this.leaseUntilMs = nowMs + leaseMs;
    if (!isHeld && !isLost) return { state: 'claimed', fence: this.fence };
    this.probes += 1;
    const { fence, firstIntentAtMs, probes } = this;
    return { state: 'probe', fence, firstIntentAtMs, probes };
  }

  settle(fence: number, settlement: Settlement): boolean {
    if (fence !== this.fence || this.state !== 'sending') return false;
    this.state = settlement.state;
    if (settlement.state === 'sent') this.note = settlement.reference;
    if (settlement.state === 'failed') this.note = settlement.cause;
    if (settlement.state === 'pending') this.restedStart = this.started;
    if (settlement.state === 'unknown' && settlement.isProbeUsed === false) {
      this.probes = Math.max(this.probes - 1, 0);
    }
    return true;
  }

  rest(startedTimes: number): void {
    if (this.state !== 'pending') return;
    if (startedTimes === 1 || this.restedStart === startedTimes - 1) this.restedStart = startedTimes;
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
  { state: 'unknown', cause: 'u', isProbeUsed: false },
);
const age = fc.integer({ min: 0, max: 1 });
const startedTimes = fc.integer({ min: 1, max: 4 });
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('claim' as const), startedTimes, afterMs: fc.integer({ min: 0, max: 150 }) }),
    fc.record({ do: fc.constant('rest' as const), startedTimes }),
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
          const model = new LedgerModel(kind === 'redis');
          const answers: unknown[] = [];
          const expected: unknown[] = [];
          let nowMs = startMs;
          for (const step of taken) {
            const fence = model.fence - ('age' in step ? step.age : 0);
            if (step.do === 'claim') {
              nowMs += step.afterMs;
              const request = { nowMs, leaseMs, facts, startedTimes: step.startedTimes, earliestMs };
              answers.push(await store.ledger.claim(key, request));
              expected.push(model.claim(nowMs, step.startedTimes));
            } else if (step.do === 'rest') {
              await store.ledger.rest(key, step.startedTimes, facts);
              model.rest(step.startedTimes);
            } else if (step.do === 'settle') {
              // Nobody can settle what nobody has claimed.
              if (model.fence === 0) continue;
              answers.push(await store.ledger.settle(key, fence, step.settlement, nowMs, facts));
              expected.push(model.settle(fence, step.settlement));
            } else {
              answers.push(await store.ledger.renew(key, fence, nowMs + leaseMs));
              expected.push(model.renew(fence, nowMs + leaseMs));
            }
          }
          expect(answers).toEqual(expected);
        }),
        { numRuns: 120 },
      );
    });
  },
  ['redis', 'postgres'],
);
