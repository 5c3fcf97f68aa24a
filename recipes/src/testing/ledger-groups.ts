import { expect, it } from 'vitest';

import { openLedger } from '../engine/store/open-stores.ts';
import { requestAt, sampleFacts, sentAs, startMs } from './effect-requests.ts';
import type { OpenLedger } from './use-ledger.ts';

/** What a ledger does with many effects at once, from several processes. */
export function checkGroups(store: OpenLedger): void {
  let effects = 0;
  const newKey = (): string => `grouped-${(effects += 1)}`;

  it('keeps texts that a store could stumble over', async () => {
    const { ledger } = store;
    const key = newKey();
    const facts = { ...sampleFacts, meetingId: 'a\0b\uD800c"\\{}\u{1F600}', occurrence: '' };
    const cause = '\0\uDC00';
    await Promise.all([
      ledger.claim(key, requestAt(startMs, { facts })),
      ledger.claim(newKey(), requestAt(startMs)),
    ]);
    expect(await ledger.settle(key, 1, { state: 'failed', cause }, requestAt(startMs, { facts }))).toBe(true);
    expect(await ledger.settle(key, 1, { state: 'failed', cause }, requestAt(startMs, { facts }))).toBe(true);
    expect((await ledger.read(key, startMs))?.meetingId).toMatch(/^a.b[\u{FFFD}\uD800]c"\\\{\}\u{1F600}$/su);
  });

  it.each([
    { nowMs: Number.NaN },
    { leaseMs: Number.POSITIVE_INFINITY },
    { earliestMs: 0.5 },
    { facts: { ...sampleFacts, part: Number.NaN } },
    { facts: { ...sampleFacts, receivedAtMs: Number.NaN } },
  ])('refuses a number that is none, and that alone: %j', async (wrong) => {
    const { ledger } = store;
    const [key, other] = [newKey(), newKey()];
    const request = requestAt(startMs);
    const claims = [ledger.claim(key, { ...request, ...wrong }), ledger.claim(other, request)];
    await expect(claims[0]).rejects.toThrow('no whole number');
    expect(await claims[1]).toMatchObject({ state: 'claimed' });
    const settled = [
      ledger.settle(other, Number.NaN, { state: 'pending' }, request),
      ledger.settle(other, 1, { state: 'pending' }, request),
    ];
    await expect(settled[0]).rejects.toThrow('no whole number');
    expect(await settled[1]).toBe(true);
  });

  it('answers each of a large group with its own', async () => {
    const { ledger } = store;
    const keys = Array.from({ length: 300 }, (_, nth) => `group-${(nth * 7919) % 300}`);
    const first = await Promise.all(keys.map((key) => ledger.claim(key, requestAt(startMs))));
    expect(first.every(({ state }) => state === 'claimed')).toBe(true);
    await Promise.all(keys.map((key) => ledger.settle(key, 1, sentAs(`of ${key}`), requestAt(startMs))));
    const then = await Promise.all(keys.map((key) => ledger.claim(key, requestAt(startMs))));
    expect(then).toEqual(keys.map((key) => sentAs(`of ${key}`)));
  });

  it('lets only one of many claim at the same time, from several processes', async () => {
    const other = await openLedger(store.backend);
    for (const key of [newKey(), newKey(), newKey()]) {
      const claims = await Promise.all(
        Array.from({ length: 40 }, (_, nth) =>
          (nth % 2 === 0 ? store.ledger : other).claim(key, requestAt(startMs)),
        ),
      );
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
      expect(claims.filter(({ state }) => state === 'busy')).toHaveLength(39);
    }
    await other.close();
  });

  it('has no two groups wait for each other that hold the same effects in another order', async () => {
    const other = await openLedger(store.backend);
    const keys = Array.from({ length: 60 }, newKey);
    const claims = await Promise.all([
      ...keys.map((key) => store.ledger.claim(key, requestAt(startMs))),
      ...keys.toReversed().map((key) => other.claim(key, requestAt(startMs))),
    ]);
    expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(60);
    const settled = await Promise.all([
      ...keys.map((key) => store.ledger.settle(key, 1, sentAs('r'), requestAt(startMs))),
      ...keys.toReversed().map((key) => other.settle(key, 1, sentAs('r'), requestAt(startMs))),
    ]);
    expect(settled.every(Boolean)).toBe(true);
    await other.close();
  });

  it('can be opened by several processes at once', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => openLedger(store.backend)));
    expect(others).toHaveLength(4);
    for (const other of others) await other.close();
  });
}
