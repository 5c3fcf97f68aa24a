import { expect, it } from 'vitest';

import type { EntryPage, EntryPlace, Settlement } from '../engine/ledger/ledger.ts';
import { leaseMs, requestAt, sentAs, startMs } from './effect-requests.ts';
import type { OpenLedger } from './use-ledger.ts';

const failed: Settlement = { state: 'failed', cause: 'no such channel' };
const skipped: Settlement = { state: 'skipped', cause: 'its time was over' };
const parked: Settlement = { state: 'parked', cause: 'outcome unknown' };
const unknown: Settlement = { state: 'unknown', cause: 'cut off' };
const pending: Settlement = { state: 'pending' };
const nowhere: EntryPlace = { changedAtMs: 0, effectKey: '' };

/** What a ledger does for people. The store is empty at first. */
export function checkRepairs(store: OpenLedger): void {
  let effects = 0;

  /** An effect that was claimed and, if told, settled, at a time. */
  async function makeEffect(settlement?: Settlement, atMs = startMs): Promise<string> {
    const key = `repair-${(effects += 1)}`;
    await store.ledger.claim(key, requestAt(atMs));
    if (settlement !== undefined) await store.ledger.settle(key, 1, settlement, requestAt(atMs));
    return key;
  }

  it('counts and lists by state, newest change first', async () => {
    const { ledger } = store;
    const ends = [failed, sentAs('r'), failed, unknown, failed, undefined, skipped, pending, parked];
    const keys: string[] = [];
    for (const [nth, end] of ends.entries()) keys.push(await makeEffect(end, startMs + nth));
    expect(await ledger.counts()).toEqual({
      pending: 1,
      sending: 1,
      unknown: 1,
      sent: 1,
      skipped: 1,
      failed: 3,
      parked: 1,
      held: 0,
    });
    const list = async (filter: Parameters<typeof ledger.list>[0]): Promise<string[]> =>
      (await ledger.list(filter)).entries.map(({ effectKey }) => effectKey);
    const at = (...places: number[]) => places.map((nth) => keys[nth]);
    expect(await list({ states: ['failed', 'unknown'], limit: 10 })).toEqual(at(4, 3, 2, 0));
    expect(await list({ states: ['failed', 'unknown'], limit: 2 })).toEqual(at(4, 3));
    const { next } = await ledger.list({ states: ['failed', 'unknown'], limit: 2 });
    expect(await list({ states: ['failed', 'unknown'], limit: 2, after: next ?? nowhere })).toEqual(at(2, 0));
    expect(await list({ states: ['sending', 'pending', 'sent', 'skipped'], limit: 9 })).toEqual(
      at(7, 6, 5, 1),
    );
    expect(await list({ states: ['failed', 'failed'], limit: 9 })).toEqual(at(4, 2, 0));
    expect(await list({ states: [], limit: 10 })).toEqual([]);
    expect(await list({ states: ['failed'], limit: 0 })).toEqual([]);
    expect((await ledger.list({ states: ['parked'], limit: 1 })).entries[0]).toMatchObject(parked);
  });

  it('counts what changed in spans of time, with their beginning and without their end', async () => {
    const { ledger } = store;
    const fromMs = startMs + 500_000;
    for (const [end, afterMs] of [
      [sentAs('r'), -1],
      [sentAs('r'), 0],
      [failed, 9],
      [sentAs('r'), 10],
      [sentAs('r'), 11],
      [skipped, 12],
      [failed, 20],
    ] as const) {
      await makeEffect(end, fromMs + afterMs);
    }
    const edges = [fromMs, fromMs + 10, fromMs + 20];
    expect(await ledger.countChanges(['sent', 'failed', 'held'], edges)).toEqual([
      [1, 2],
      [1, 0],
      [0, 0],
    ]);
  });

  it.each([
    [failed, { state: 'claimed', fence: 2 }],
    [skipped, { state: 'claimed', fence: 2 }],
    [parked, { state: 'probe', fence: 2, firstIntentAtMs: startMs, probes: 1 }],
  ] as const)('lets an effect that is $0.state be tried again', async (end, claim) => {
    const { ledger } = store;
    const key = await makeEffect(end);
    expect(await ledger.reopen(key, startMs + 1)).toBe(end.state);
    expect(await ledger.read(key, startMs)).not.toHaveProperty('cause');
    expect(await ledger.claim(key, requestAt(startMs + 1))).toEqual(claim);
  });

  it('begins to count probes anew when an effect is opened again', async () => {
    const { ledger } = store;
    const key = await makeEffect();
    await ledger.claim(key, requestAt(startMs + leaseMs));
    await ledger.settle(key, 2, parked, requestAt(startMs + leaseMs));
    await ledger.reopen(key, startMs + leaseMs);
    expect(await ledger.read(key, startMs)).toMatchObject({ state: 'unknown', probes: 0, attempts: 2 });
  });

  it('lists each once, page by page, however many changed in one millisecond', async () => {
    const { ledger } = store;
    const atMs = startMs + 1_000_000;
    const made = await Promise.all(
      Array.from({ length: 23 }, (_, nth) => makeEffect(nth % 3 === 0 ? failed : unknown, atMs + (nth % 2))),
    );
    const states = ['failed', 'unknown', 'parked'] as const;
    const keys: string[] = [];
    let after: EntryPlace | undefined = { changedAtMs: atMs + 2, effectKey: '' };
    while (after !== undefined && after.changedAtMs >= atMs) {
      const page: EntryPage = await ledger.list({ states, limit: 5, after });
      keys.push(
        ...page.entries.filter(({ changedAtMs }) => changedAtMs >= atMs).map(({ effectKey }) => effectKey),
      );
      after = page.next;
    }
    expect(keys).toHaveLength(made.length);
    expect(new Set(keys)).toEqual(new Set(made));
  });

  it.each([unknown, parked, failed])(
    'believes a person what became of an effect that is $state',
    async (end) => {
      const { ledger } = store;
      const [one, other] = [await makeEffect(end), await makeEffect(end)];
      expect(await ledger.decide(one, 'sent', startMs + 1)).toBe(end.state);
      expect(await ledger.claim(one, requestAt(startMs + leaseMs))).toEqual(sentAs(''));
      expect(await ledger.read(one, startMs)).not.toHaveProperty('cause');
      expect(await ledger.decide(other, 'not_sent', startMs + 1)).toBe(end.state);
      expect(await ledger.claim(other, requestAt(startMs + 1))).toEqual({ state: 'claimed', fence: 2 });
      const third = await makeEffect(end);
      expect(await ledger.decide(third, 'dismissed', startMs + 1, 'the channel is gone')).toBe(end.state);
      const cause = 'dismissed: the channel is gone';
      expect(await ledger.claim(third, requestAt(startMs + leaseMs))).toEqual({ state: 'skipped', cause });
    },
  );

  it('believes a person what became of an effect whose worker is gone', async () => {
    const { ledger } = store;
    const [one, other, third] = [await makeEffect(), await makeEffect(), await makeEffect()];
    const overMs = startMs + leaseMs;
    expect(await ledger.decide(one, 'sent', overMs - 1)).toBe('sending');
    expect(await ledger.decide(one, 'sent', overMs)).toBe('unknown');
    expect(await ledger.claim(one, requestAt(overMs))).toEqual(sentAs(''));
    expect(await ledger.decide(other, 'not_sent', overMs)).toBe('unknown');
    expect(await ledger.settle(other, 1, sentAs('r'), requestAt(overMs))).toBe(false);
    expect(await ledger.claim(other, requestAt(overMs))).toEqual({ state: 'claimed', fence: 2 });
    expect(await ledger.reopen(third, overMs - 1)).toBe('sending');
    expect(await ledger.reopen(third, overMs)).toBe('unknown');
    expect(await ledger.read(third, overMs)).toMatchObject({ state: 'unknown', leaseUntilMs: overMs });
    expect(await ledger.claim(third, requestAt(overMs))).toMatchObject({ state: 'probe', probes: 1 });
  });

  it('holds an effect until a person approves or discards it, once', async () => {
    const { ledger } = store;
    const held: Settlement = { state: 'held', cause: 'mail to an external recipient' };
    const [one, other, third] = [await makeEffect(held), await makeEffect(held), await makeEffect(unknown)];
    expect(await ledger.claim(one, requestAt(startMs))).toEqual(held);
    expect(await ledger.reopen(one, startMs)).toBe('held');
    expect(await ledger.decide(one, 'sent', startMs)).toBe('held');
    expect(await ledger.readApproval(one)).toBeUndefined();
    expect(await ledger.resolveHeld(one, 'approved', startMs)).toBe('held');
    expect(await ledger.resolveHeld(one, 'approved', startMs)).toBe('pending');
    expect(await ledger.readApproval(one)).toBe('*');
    expect(await ledger.claim(one, requestAt(startMs))).toEqual({ state: 'claimed', fence: 2 });
    expect(await ledger.resolveHeld(other, 'discarded', startMs)).toBe('held');
    expect(await ledger.read(other, startMs)).toMatchObject({
      state: 'skipped',
      cause: 'discarded at its approval',
    });
    expect(await ledger.readApproval(other)).toBeUndefined();
    expect(await ledger.resolveHeld(third, 'approved', startMs)).toBe('unknown');
    expect(await ledger.readApproval(third)).toBeUndefined();
    expect(await ledger.resolveHeld('nothing', 'approved', startMs)).toBeUndefined();
  });
}
