import { expect, it } from 'vitest';

import type { Settlement } from '../engine/ledger/ledger.ts';
import { leaseMs, requestAt, sampleFacts, sentAs, startMs } from './effect-requests.ts';
import type { OpenLedger } from './use-ledger.ts';

const cutOff: Settlement = { state: 'unknown', cause: 'cut off' };

/** What a ledger does with one effect. */
export function checkAttempts(store: OpenLedger): void {
  let effects = 0;
  const newKey = (): string => `effect-${(effects += 1)}`;

  it('tells what it knows of an effect', async () => {
    const { ledger } = store;
    const key = newKey();
    await ledger.claim(key, requestAt(startMs));
    const known = { effectKey: key, ...sampleFacts, attempts: 1, probes: 0, firstIntentAtMs: startMs };
    expect(await ledger.read(key, startMs)).toEqual({
      ...known,
      state: 'sending',
      changedAtMs: startMs,
      leaseUntilMs: startMs + leaseMs,
    });
    await ledger.settle(key, 1, cutOff, requestAt(startMs + 10));
    expect(await ledger.read(key, startMs)).toEqual({
      ...known,
      state: 'unknown',
      cause: 'cut off',
      changedAtMs: startMs + 10,
      leaseUntilMs: startMs + leaseMs,
    });
    await ledger.claim(key, requestAt(startMs + leaseMs));
    await ledger.settle(key, 2, sentAs('C1/2.3'), requestAt(startMs + leaseMs + 5));
    expect(await ledger.read(key, startMs)).toEqual({
      ...known,
      state: 'sent',
      attempts: 2,
      probes: 1,
      reference: 'C1/2.3',
      changedAtMs: startMs + leaseMs + 5,
    });
  });

  it('refuses to settle or renew with an old fence', async () => {
    const { ledger } = store;
    const key = newKey();
    await ledger.claim(key, requestAt(startMs));
    await ledger.claim(key, requestAt(startMs + leaseMs));
    expect(await ledger.settle(key, 1, sentAs('old'), requestAt(startMs))).toBe(false);
    expect(await ledger.renew(key, 1, startMs + 9 * leaseMs)).toBe(false);
    expect(await ledger.settle(key, 2, sentAs('new'), requestAt(startMs))).toBe(true);
    expect(await ledger.claim(key, requestAt(startMs + 9 * leaseMs))).toEqual(sentAs('new'));
  });

  it('does not take back a probe twice when the outcome comes twice', async () => {
    const { ledger } = store;
    const key = newKey();
    const unasked = { ...cutOff, isProbeUsed: false };
    await ledger.claim(key, requestAt(startMs));
    for (const time of [1, 2]) await ledger.claim(key, requestAt(startMs + time * leaseMs));
    await ledger.settle(key, 3, unasked, requestAt(startMs + 2 * leaseMs));
    await ledger.settle(key, 3, unasked, requestAt(startMs + 2 * leaseMs));
    expect(await ledger.read(key, startMs)).toMatchObject({ probes: 1 });
  });

  it('prolongs a lease', async () => {
    const { ledger } = store;
    const key = newKey();
    expect(await ledger.renew(key, 1, startMs)).toBe(false);
    await ledger.claim(key, requestAt(startMs));
    expect(await ledger.renew(key, 1, startMs + 2 * leaseMs)).toBe(true);
    expect(await ledger.claim(key, requestAt(startMs + leaseMs))).toEqual({
      state: 'busy',
      untilMs: startMs + 2 * leaseMs,
    });
  });

  it.each<Settlement>([sentAs('r'), { state: 'parked', cause: 'c' }])(
    'stores that an effect is $state although its claim is not there any more',
    async (end) => {
      const { ledger } = store;
      const key = newKey();
      expect(await ledger.settle(key, 7, end, requestAt(startMs))).toBe(true);
      expect(await ledger.settle(key, 7, end, requestAt(startMs))).toBe(true);
      expect(await ledger.claim(key, requestAt(startMs + leaseMs))).toEqual(end);
      expect(await ledger.read(key, startMs)).toMatchObject({ meetingId: 'm_1', attempts: 1 });
    },
  );

  it('stores nothing that is not final when the claim is not there any more', async () => {
    const { ledger } = store;
    const key = newKey();
    expect(await ledger.settle(key, 1, { state: 'pending' }, requestAt(startMs))).toBe(false);
    expect(await ledger.settle(key, 1, cutOff, requestAt(startMs))).toBe(false);
    expect(await ledger.read(key, startMs)).toBeUndefined();
  });
}
