import { describe, expect, it } from 'vitest';

import { settlePolicies } from '../destinations/index.ts';
import { dedupeBy, sampleFacts, startMs } from '../testing/effect-requests.ts';
import type { Claim, Settlement } from './ledger/ledger.ts';
import type { DeliveryPolicy } from './limits/policy.ts';
import type { PreparedSend, ProbeResult, SendResult, UpdateResult } from './prepared-send.ts';
import { sendOnce, type SendTools } from './send-once.ts';

const leaseMs = 25_000;
const dedupe = dedupeBy('meeting', 'monday', 'v1');

/** What one start of an effect meets. */
interface Meets {
  readonly claim?: Claim;
  /** What a claim after the probe is answered. */
  readonly claimAgain?: Claim;
  readonly probe?: ProbeResult;
  readonly send?: SendResult;
  readonly update?: UpdateResult;
  readonly finish?: UpdateResult;
  readonly sendsChangesAsNew?: true;
  readonly policy?: Partial<DeliveryPolicy>;
  readonly unconfirmedTimes?: number;
  readonly hasDedupe?: boolean;
  /** False: another worker has a newer fence. */
  readonly isLeaseHeld?: boolean;
  readonly claimTakesMs?: number;
  readonly renewTakesMs?: number;
}

const claimed: Claim = { state: 'claimed', fence: 1 };
const probe = (probes: number, more: { readonly previous?: string } = {}): Claim => ({
  state: 'probe',
  fence: 7,
  firstIntentAtMs: 5000,
  probes,
  ...more,
});
const cause = 'said so';
const sent = { result: 'sent', reference: 'r1' } as const;

/** The calls in their order, and the outcome. */
async function start(meets: Meets) {
  const { claim = claimed, claimAgain, isLeaseHeld = true, claimTakesMs = 0, renewTakesMs = 0 } = meets;
  const calls: (string | Settlement)[] = [];
  let nowMs = startMs;
  let claims = 0;
  const tools: SendTools = {
    clock: () => nowMs,
    policy: {
      ...settlePolicies().of('slack'),
      maxProbes: 3,
      firstWaitMs: 10_000,
      graceMs: leaseMs - 10_000,
      ...meets.policy,
    },
    unconfirmedTimes: meets.unconfirmedTimes ?? 0,
    ledger: {
      claim: async (_key, { isTraceComplete }) => {
        claims += 1;
        nowMs += claimTakesMs;
        if (claims === 1) return claim;
        calls.push(`claim, traced: ${isTraceComplete}`);
        return claimAgain ?? claim;
      },
      renew: async (_key, fence, untilMs) => {
        calls.push(`renew ${fence} for ${untilMs - nowMs}`);
        nowMs += renewTakesMs;
        return isLeaseHeld;
      },
      settle: async (_key, fence, settlement, request) => {
        calls.push(`settle ${fence}${request.dedupe === undefined ? '' : ' as its content'}`, settlement);
        return isLeaseHeld;
      },
    },
  };
  const answer = <Result>(name: string, result: Result | undefined) => {
    calls.push(name);
    return Promise.resolve(result ?? expect.fail(`${name} is not expected`));
  };
  const { update, finish } = meets;
  const prepared: PreparedSend = {
    timeoutMs: 10_000,
    probe: (sinceMs) => answer(`probe since ${sinceMs}`, meets.probe),
    send: () => answer('send', meets.send),
    ...(update === undefined ? {} : { update: (reference) => answer(`update ${reference}`, update) }),
    ...(finish === undefined ? {} : { finish: (reference) => answer(`finish ${reference}`, finish) }),
    ...(meets.sendsChangesAsNew === undefined ? {} : { sendsChangesAsNew: true }),
  };
  const request = { facts: sampleFacts, isTraceComplete: false, earliestMs: startMs };
  const asked = meets.hasDedupe === true ? { ...request, dedupe } : request;
  const outcome = await sendOnce('effect', prepared, asked, tools);
  return { calls, outcome };
}

const waits = { kind: 'wait', why: 'unclear', cause } as const;
const retries = { kind: 'retry', why: 'destination', cause } as const;
const paused = { kind: 'wait', why: 'destination_paused', forMs: 1, cause } as const;
const uncounted: Settlement = { state: 'unknown', cause, isProbeUsed: false };
const parkedFor = (why: string) =>
  [
    { state: 'parked', cause: why },
    { kind: 'failed', cause: why },
  ] as const;

describe('a probe', () => {
  it.each<[ProbeResult, Meets, Settlement, object]>([
    [
      { result: 'found', reference: 'r0' },
      {},
      { state: 'sent', reference: 'r0' },
      { kind: 'sent', reference: 'r0', sentNow: false },
    ],
    [{ result: 'not_asked', cause }, {}, uncounted, retries],
    [{ result: 'paused', cause }, {}, uncounted, paused],
    [
      { result: 'rate_limited', cause, retryAfterMs: 40_000 },
      {},
      uncounted,
      { kind: 'wait', why: 'limited', forMs: 40_000, cause },
    ],
    [
      { result: 'unsure', cause },
      { claim: probe(2) },
      { state: 'unknown', cause },
      { ...waits, forMs: 40_000, isUnconfirmed: false },
    ],
    [
      { result: 'unsure', cause },
      { claim: probe(1) },
      { state: 'unknown', cause },
      // Not before its lease is over.
      { ...waits, forMs: leaseMs, isUnconfirmed: false },
    ],
    [
      { result: 'unsure', cause },
      { claim: probe(2), policy: { firstWaitMs: 80_000 } },
      { state: 'unknown', cause },
      { ...waits, forMs: 300_000, isUnconfirmed: false },
    ],
    [{ result: 'unsure', cause }, { claim: probe(3) }, ...parkedFor(cause)],
    [{ result: 'impossible', cause }, {}, ...parkedFor(cause)],
    [
      { result: 'untraceable' },
      { policy: { whenUntraceable: 'hold' } },
      ...parkedFor('an attempt was cut off; it may have arrived, so it is not sent again'),
    ],
    [
      { result: 'untraceable' },
      { claim: probe(6), policy: { whenUntraceable: 'resend' } },
      ...parkedFor('an attempt was cut off; it may have arrived, so it is not sent again'),
    ],
  ])('that ends as %j with %j sends nothing', async (result, more, settlement, outcome) => {
    expect(await start({ claim: probe(1), probe: result, hasDedupe: false, ...more })).toEqual({
      calls: ['probe since 5000', 'settle 7', settlement],
      outcome,
    });
  });

  it('that finds it does not say what its content is', async () => {
    const found = { result: 'found', reference: 'r0' } as const;
    const { calls } = await start({ claim: probe(1), probe: found, hasDedupe: true });
    expect(calls[1]).toBe('settle 7');
  });

  it.each<[ProbeResult, Meets]>([
    [{ result: 'absent' }, { policy: { whenUntraceable: 'hold' } }],
    [{ result: 'untraceable' }, { claim: probe(5), policy: { whenUntraceable: 'resend' } }],
  ])('that ends as %j with %j is followed by the send', async (result, more) => {
    expect(await start({ claim: probe(1), probe: result, send: sent, ...more })).toEqual({
      calls: ['probe since 5000', 'send', 'settle 7', { state: 'sent', reference: 'r1' }],
      outcome: { kind: 'sent', reference: 'r1', sentNow: true },
    });
  });

  it('that finds nothing asks first what was sent for its dedupe key meanwhile', async () => {
    const meets: Meets = { claim: probe(3), probe: { result: 'absent' }, hasDedupe: true };
    const pending = ['probe since 5000', 'settle 7 as its content', { state: 'pending' }];
    const claimAgain: Claim = { state: 'claimed', fence: 8 };
    const unknown: SendResult = { result: 'unknown', cause };
    const why = `${cause}; after 3 tries it is still not known whether it was sent`;
    // The probes that there were count for the new claim too.
    expect(await start({ ...meets, claimAgain, send: unknown })).toEqual({
      calls: [
        ...pending,
        'claim, traced: true',
        'send',
        'settle 8 as its content',
        { state: 'parked', cause: why },
      ],
      outcome: { kind: 'failed', cause: why },
    });
    const skipped: Claim = { state: 'skipped', cause };
    expect(await start({ ...meets, claimAgain: skipped })).toEqual({
      calls: [...pending, 'claim, traced: true'],
      outcome: { kind: 'skipped', cause },
    });
    expect(await start({ ...meets, isLeaseHeld: false })).toMatchObject({
      calls: pending,
      outcome: { kind: 'wait', why: 'unclear', forMs: 5000 },
    });
  });
});

describe('what was begun', () => {
  it.each<[UpdateResult, number, Settlement, object]>([
    [sent, 1, { state: 'sent', reference: 'r1' }, { kind: 'sent', reference: 'r1', sentNow: true }],
    [{ result: 'gone', cause }, 1, ...parkedFor(cause)],
    [
      { result: 'permanent', cause },
      1,
      ...parkedFor(`${cause}; a partly written effect cannot be completed`),
    ],
    [{ result: 'not_sent_retry', cause }, 3, uncounted, retries],
    [{ result: 'paused', cause }, 3, uncounted, paused],
    [
      { result: 'rate_limited', cause, retryAfterMs: 9000 },
      3,
      uncounted,
      { kind: 'limited', forMs: 9000, cause },
    ],
    [
      { result: 'unknown', cause },
      2,
      { state: 'unknown', cause },
      { ...waits, forMs: 40_000, isUnconfirmed: false },
    ],
    [{ result: 'unknown', cause }, 3, ...parkedFor(cause)],
  ])('and is finished with %j at probe %d ends', async (finish, probes, settlement, outcome) => {
    const begun: ProbeResult = { result: 'begun', reference: 'r1' };
    expect(await start({ claim: probe(probes), probe: begun, finish, update: sent })).toEqual({
      calls: ['probe since 5000', 'finish r1', 'settle 7', settlement],
      outcome,
    });
  });

  it('is left to a person where nothing can finish it', async () => {
    const { calls, outcome } = await start({ claim: probe(1), probe: { result: 'begun', reference: 'r1' } });
    expect([calls.at(-1), outcome]).toEqual(parkedFor('a partly written effect cannot be completed'));
  });
});

describe('a send', () => {
  it.each<[SendResult, Settlement, object]>([
    [sent, { state: 'sent', reference: 'r1' }, { kind: 'sent', reference: 'r1', sentNow: true }],
    [
      { result: 'permanent', cause },
      { state: 'failed', cause },
      { kind: 'failed', cause },
    ],
    [{ result: 'not_sent_retry', cause }, { state: 'pending' }, retries],
    [{ result: 'paused', cause }, { state: 'pending' }, paused],
    [
      { result: 'rate_limited', cause, retryAfterMs: 9000 },
      { state: 'pending' },
      { kind: 'limited', forMs: 9000, cause },
    ],
    [
      { result: 'unknown', cause },
      { state: 'unknown', cause },
      { ...waits, forMs: leaseMs, isUnconfirmed: true },
    ],
  ])('that ends as %j is recorded with its content', async (send, settlement, outcome) => {
    expect(await start({ send, hasDedupe: true })).toEqual({
      calls: ['send', 'settle 1 as its content', settlement],
      outcome,
    });
  });

  const tries = 'after 3 tries it is still not known whether it was sent';
  const perhaps = 'it may have arrived, so it is not sent again';

  it.each<[Meets, string | undefined]>([
    [{ claim: probe(2), probe: { result: 'absent' } }, undefined],
    [{ claim: probe(3), probe: { result: 'absent' } }, tries],
    [{ claim: probe(4), probe: { result: 'untraceable' } }, undefined],
    [{ claim: probe(5), probe: { result: 'untraceable' } }, perhaps],
    [{ claim: probe(4), probe: { result: 'untraceable' }, unconfirmedTimes: 1 }, perhaps],
  ])('of unknown outcome after %j is tried again, or not: %s', async (meets, why) => {
    const policy = { whenUntraceable: 'resend' } as const;
    const { outcome } = await start({ policy, send: { result: 'unknown', cause }, ...meets });
    expect(outcome).toMatchObject(
      why === undefined ? { kind: 'wait', cause } : { kind: 'failed', cause: `${cause}; ${why}` },
    );
  });

  it('whose worker was overtaken leaves the end to the other', async () => {
    expect((await start({ send: sent, isLeaseHeld: false })).outcome).toEqual({
      kind: 'wait',
      why: 'unclear',
      forMs: leaseMs,
      cause: 'another worker has taken over',
    });
  });
});

describe('a change', () => {
  const change: Claim = { ...claimed, previous: 'r0' };

  it.each<[UpdateResult, Settlement, object]>([
    [sent, { state: 'sent', reference: 'r1' }, { kind: 'sent', reference: 'r1', sentNow: true }],
    [
      { result: 'gone', cause },
      { state: 'skipped', cause },
      { kind: 'skipped', cause },
    ],
    [{ result: 'unknown', cause }, { state: 'pending' }, { ...retries, forMs: leaseMs }],
    [
      { result: 'permanent', cause },
      { state: 'failed', cause },
      { kind: 'failed', cause },
    ],
    [{ result: 'not_sent_retry', cause }, { state: 'pending' }, retries],
  ])('that ends as %j is recorded', async (update, settlement, outcome) => {
    const calls = ['update r0', 'settle 1 as its content', settlement];
    expect(await start({ claim: change, update, hasDedupe: true })).toEqual({ calls, outcome });
    // It can be made again, so an attempt that was cut off is not looked for.
    const again = await start({ claim: probe(1, { previous: 'r0' }), update });
    expect(again.calls).toEqual(['update r0', 'settle 7', settlement]);
  });

  it('is skipped where nothing can be changed, and sent where it goes beside', async () => {
    const why = 'already sent, and this destination cannot change it';
    expect(await start({ claim: change })).toEqual({
      calls: ['settle 1', { state: 'skipped', cause: why }],
      outcome: { kind: 'skipped', cause: why },
    });
    const beside = await start({ claim: change, sendsChangesAsNew: true, update: sent, send: sent });
    expect(beside.calls[0]).toBe('send');
  });
});

describe('a store that is slow', () => {
  it.each<[Meets, readonly string[]]>([
    [{ claimTakesMs: 2500 }, ['send', 'settle 1']],
    [{ claimTakesMs: 2501, renewTakesMs: 2500 }, [`renew 1 for ${leaseMs}`, 'send', 'settle 1']],
    [{ claimTakesMs: 2501, renewTakesMs: 2501 }, [`renew 1 for ${leaseMs}`, 'settle 1']],
  ])('with %j leads to %j', async (meets, calls) => {
    const ended = await start({ send: sent, ...meets });
    expect(ended.calls.filter((call) => typeof call === 'string')).toEqual(calls);
  });

  it.each<[Meets, Settlement]>([
    [{ claim: claimed }, { state: 'pending' }],
    [
      { claim: probe(1), probe: { result: 'absent' } },
      { ...uncounted, cause: 'nothing was sent: the store of the ledger is slow' },
    ],
  ])('counts nothing with %j', async (meets, settlement) => {
    const { calls, outcome } = await start({ ...meets, claimTakesMs: 3000, renewTakesMs: 3000 });
    expect(calls.at(-1)).toEqual(settlement);
    expect(outcome).toEqual({
      kind: 'wait',
      why: 'unclear',
      forMs: 5000,
      cause: 'nothing was sent: the store of the ledger is slow',
    });
  });

  it('sends nothing once its lease is gone', async () => {
    const { calls } = await start({ claimTakesMs: 3000, isLeaseHeld: false });
    expect(calls).toEqual([`renew 1 for ${leaseMs}`, 'settle 1', { state: 'pending' }]);
  });
});

it.each<[Claim, object]>([
  [
    { state: 'sent', reference: 'r0' },
    { kind: 'sent', reference: 'r0', sentNow: false },
  ],
  [
    { state: 'skipped', cause },
    { kind: 'skipped', cause },
  ],
  [
    { state: 'failed', cause },
    { kind: 'failed', cause },
  ],
  [
    { state: 'parked', cause },
    { kind: 'failed', cause },
  ],
  [
    { state: 'held', cause },
    { kind: 'held', cause },
  ],
  [
    { state: 'busy', untilMs: startMs + 4000 },
    { ...waits, forMs: 4000 },
  ],
  [
    { state: 'busy', untilMs: startMs + 50 },
    { ...waits, forMs: 100 },
  ],
  [
    { state: 'busy', untilMs: startMs + 9000 },
    { ...waits, forMs: 5000 },
  ],
])('a claim that is answered %j calls nothing', async (claim, outcome) => {
  const why = claim.state === 'busy' ? { cause: 'an earlier attempt may still be under way' } : {};
  expect(await start({ claim })).toEqual({ calls: [], outcome: { ...outcome, ...why } });
});
