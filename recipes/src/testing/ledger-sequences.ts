import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { ClaimRequest, EffectFacts, EffectState, Ledger, Settlement } from '../engine/ledger/ledger.ts';
import { LedgerModel } from './ledger-model.ts';
import type { OpenLedger } from './use-ledger.ts';

const leaseMs = 20_000;
const startMs = 1_795_000_000_000;

/** Three effects of one dedupe key, written at the same moment, before it and after it; and one that stands alone. */
const effects = [
  { name: 'a', occurrence: '2026-11-18T10:00:00Z', hasDedupeKey: true },
  { name: 'b', occurrence: '2026-11-18T12:00:00+02:00', hasDedupeKey: true },
  { name: 'c', occurrence: '2026-11-18T10:30:00.500Z', hasDedupeKey: true },
  { name: 'd', occurrence: '2026-11-18T10:00:00Z', hasDedupeKey: false },
] as const;

const effect = fc.constantFrom(0, 0, 1, 1, 2, 3);
const worker = fc.integer({ min: 0, max: 2 });
const settlement = fc.constantFrom<Settlement>(
  { state: 'sent', reference: 'r1' },
  { state: 'sent', reference: 'r2' },
  { state: 'skipped', cause: 'too late' },
  { state: 'failed', cause: 'refused' },
  { state: 'parked', cause: 'outcome unknown' },
  { state: 'pending' },
  { state: 'unknown', cause: 'cut off' },
  { state: 'unknown', cause: 'limited', isProbeUsed: false },
);
const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      effect,
      worker,
      meetingStart: fc.constantFrom('', 'monday', 'monday', 'tuesday'),
      contentHash: fc.constantFrom('1'.repeat(64), '2'.repeat(64)),
      isDedupeAsked: fc.constantFrom(true, true, true, false),
      isTraceComplete: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('claim and try' as const),
      isTaken: fc.boolean(),
      effect,
      worker,
      meetingStart: fc.constantFrom('', 'monday', 'monday', 'tuesday'),
      contentHash: fc.constantFrom('1'.repeat(64), '2'.repeat(64)),
      isDedupeAsked: fc.constant(true),
      isTraceComplete: fc.constant(true),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('settle' as const), worker, settlement }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('settle with an old fence' as const), worker, settlement }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const), worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), effect }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resend' as const), effect }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mark recalled' as const), effect }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      effect,
      verdict: fc.constantFrom('sent' as const, 'not_sent' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('time passes' as const),
      forMs: fc.constantFrom(1, 10_000, leaseMs - 1, leaseMs, 60_000, 599_999, 600_000),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs the commands on the ledger and on its model, and returns the answers of both. */
async function runCommands(
  commands: readonly Command[],
  run: { readonly ledger: Ledger; readonly model: LedgerModel; readonly id: string },
): Promise<{ readonly answers: unknown[]; readonly expected: unknown[] }> {
  const { ledger, model, id } = run;
  const answers: unknown[] = [];
  const expected: unknown[] = [];
  const held = new Map<
    number,
    { readonly key: string; readonly fence: number; readonly request: ClaimRequest }
  >();
  let nowMs = startMs;
  for (const asked of commands) {
    const key = 'effect' in asked ? `${id}-${effects[asked.effect]?.name}` : '';
    const holds = 'worker' in asked ? held.get(asked.worker) : undefined;
    if (asked.do === 'time passes') nowMs += asked.forMs;
    else if (asked.do === 'claim' || asked.do === 'claim and try') {
      const request = writeRequest(asked, { id, nowMs });
      const claim = await ledger.claim(key, request);
      answers.push(claim);
      expected.push(model.claim(key, request));
      if (!('fence' in claim)) continue;
      held.set(asked.worker, { key, fence: claim.fence, request });
      if (asked.do === 'claim') continue;
      const end: Settlement = asked.isTaken
        ? { state: 'sent', reference: `of ${key}` }
        : { state: 'pending' };
      answers.push(await ledger.settle(key, claim.fence, end, request));
      expected.push(model.settle(key, claim.fence, end, request));
    } else if (asked.do === 'reopen') {
      answers.push(await ledger.reopen(key, nowMs));
      expected.push(model.reopen(key, nowMs));
    } else if (asked.do === 'resend') {
      answers.push(await ledger.resend(key, nowMs));
      expected.push(model.resend(key, nowMs));
    } else if (asked.do === 'mark recalled') {
      answers.push(await ledger.markRecalled(key, nowMs));
      expected.push(model.markRecalled(key, nowMs));
    } else if (asked.do === 'decide') {
      answers.push(await ledger.decide(key, asked.verdict, nowMs));
      expected.push(model.decide(key, asked.verdict, nowMs));
    } else if (asked.do === 'crash') held.delete(asked.worker);
    else if (holds === undefined) continue;
    else if (asked.do === 'renew') {
      answers.push(await ledger.renew(holds.key, holds.fence, nowMs + leaseMs));
      expected.push(model.renew(holds.key, holds.fence, nowMs + leaseMs));
    } else {
      // A worker keeps its claim here: it may settle twice, or after another worker has claimed.
      const fence = holds.fence - (asked.do === 'settle' ? 0 : 1);
      const request = { ...holds.request, nowMs };
      answers.push(await ledger.settle(holds.key, fence, asked.settlement, request));
      expected.push(model.settle(holds.key, fence, asked.settlement, request));
    }
  }
  for (const { name } of effects) {
    const entry = await ledger.read(`${id}-${name}`, nowMs);
    answers.push(entry && pickRead(entry));
    const known = model.effects.get(`${id}-${name}`);
    expected.push(known && pickRead(known));
  }
  return { answers, expected };
}

function writeRequest(
  asked: Extract<Command, { readonly contentHash: string }>,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): ClaimRequest {
  const { meetingStart, contentHash, isDedupeAsked, isTraceComplete } = asked;
  const { occurrence, hasDedupeKey } = effects[asked.effect] ?? effects[0];
  const facts: EffectFacts = {
    recipe: 'recap',
    destination: 'slack',
    eventKind: 'meeting.completed',
    meetingId: 'm_1',
    occurrence,
    targetHash: 't',
    part: 0,
    traceId: '',
    receivedAtMs: startMs - 5000,
  };
  const request = { nowMs, leaseMs, facts, isTraceComplete, earliestMs: startMs - 5000 };
  return hasDedupeKey && isDedupeAsked
    ? { ...request, dedupe: { key: id, meetingStart, contentHash } }
    : request;
}

interface Read {
  readonly state: EffectState;
  readonly attempts: number;
  readonly probes: number;
  readonly firstIntentAtMs: number;
  readonly changedAtMs: number;
  readonly leaseUntilMs?: number;
  readonly reference?: string;
  readonly cause?: string;
}

function pickRead(read: Read): Read {
  const { state, attempts, probes, firstIntentAtMs, changedAtMs, leaseUntilMs = 0 } = read;
  const texts = { reference: read.reference ?? '', cause: read.cause ?? '' };
  const lease = state === 'sending' || state === 'unknown' ? { leaseUntilMs } : {};
  return { state, attempts, probes, firstIntentAtMs, changedAtMs, ...lease, ...texts };
}

/** Sequences of one run. They go side by side, as several workers do: stores answer groups of calls much sooner. */
const sideBySide = 8;

/** What a ledger does when several workers do anything, checked against its model. */
export function checkCommandSequences(
  store: OpenLedger,
  { canForget }: { readonly canForget: boolean },
): void {
  let runs = 0;

  it('does what its model does, in whatever order things happen', async () => {
    const sequence = fc.array(command, { minLength: 1, maxLength: 30, size: 'max' });
    const sequences = fc.array(sequence, { minLength: 1, maxLength: sideBySide, size: 'max' });
    // A failure prints its seed and the shortest commands that show it.
    await fc.assert(
      fc.asyncProperty(sequences, async (each) => {
        const ended = await Promise.all(
          each.map((commands) => {
            const id = `run-${(runs += 1)}`;
            return runCommands(commands, { ledger: store.ledger, model: new LedgerModel(canForget), id });
          }),
        );
        for (const { answers, expected } of ended) expect(answers).toEqual(expected);
      }),
      { numRuns: canForget ? 200 : 80 },
    );
  });
}
