import { expect, it } from 'vitest';

import type { Claim, ClaimRequest, Settlement } from '../engine/ledger/ledger.ts';
import { openLedger } from '../engine/store/open-stores.ts';
import { dedupeBy, leaseMs, requestAt, sampleFacts, sentAs, startMs } from './effect-requests.ts';
import type { OpenLedger } from './use-ledger.ts';

const minuteMs = 60_000;
const sameWasSent = {
  state: 'skipped',
  cause: 'the same was sent already for another delivery of the meeting',
};
const newerWasSent = { state: 'skipped', cause: 'a newer report of the meeting was sent already' };

/** What a ledger does with the effects of one dedupe key. */
export function checkDedupe(store: OpenLedger): void {
  const { newDedupeKey, ask, claim, settle, send } = actOnDedupeKeys(store);

  it('leaves the newer report when an older one comes after it, however their times are written', async () => {
    const dedupe = newDedupeKey();
    await send(dedupe, 'new', { content: 'v2', occurrence: '2026-07-07T14:00:00.500+02:00' });
    expect(await claim(dedupe, 'old', { content: 'v1', occurrence: '2026-07-07T12:00:00Z' })).toEqual(
      newerWasSent,
    );
    expect(
      await claim(dedupe, 'new too', { content: 'v3', occurrence: '2026-07-07T12:00:00.500Z' }),
    ).toMatchObject({
      previous: 'ref new',
    });
  });

  it('waits up to ten minutes after the lease for an unsettled effect', async () => {
    const dedupe = newDedupeKey();
    await claim(dedupe, 'a');
    await settle(dedupe, 'a', { state: 'unknown', cause: 'cut off' });
    expect(await claim(dedupe, 'b', { atMs: leaseMs })).toEqual({
      state: 'busy',
      untilMs: startMs + 2 * leaseMs,
    });
    expect(await claim(dedupe, 'b', { atMs: leaseMs + 10 * minuteMs - 1 })).toEqual({
      state: 'busy',
      untilMs: startMs + leaseMs + 10 * minuteMs,
    });
    expect(await claim(dedupe, 'b', { atMs: leaseMs + 10 * minuteMs })).toEqual({
      state: 'claimed',
      fence: 1,
    });
    expect(await claim(dedupe, 'a', { atMs: leaseMs + 10 * minuteMs })).toMatchObject({ state: 'probe' });
  });

  it('lets a cut off change be made again, also when another effect was sent since', async () => {
    const dedupe = newDedupeKey();
    await send(dedupe, 'a');
    const newer = { content: 'v2', occurrence: '2026-07-07T13:00:00Z' };
    await claim(dedupe, 'b', newer);
    const much = leaseMs + 10 * minuteMs;
    await send(dedupe, 'c', { content: 'v2', occurrence: '2026-07-07T13:30:00Z', atMs: much });
    expect(await claim(dedupe, 'b', { ...newer, atMs: much })).toEqual({
      state: 'probe',
      fence: 2,
      firstIntentAtMs: startMs,
      probes: 1,
      previous: 'ref a',
    });
  });

  it('takes what a person says was sent for sent, and changes it where it is known where that is', async () => {
    const [fresh, changed] = [newDedupeKey(), newDedupeKey()];
    for (const dedupe of [fresh, changed]) {
      if (dedupe === changed) await send(dedupe, 'before', { content: 'v0' });
      await claim(dedupe, 'a');
      await settle(dedupe, 'a', { state: 'parked', cause: 'outcome unknown' });
      expect(await store.ledger.decide(`${dedupe} a`, 'sent', startMs)).toBe('parked');
      expect(await claim(dedupe, 'b')).toEqual(sameWasSent);
    }
    // It exists at an unknown place: another one would be a duplicate.
    expect(await claim(fresh, 'c', { content: 'v2' })).toEqual({
      state: 'skipped',
      cause: 'it was sent already, and it is not known where what was sent could be changed',
    });
    expect(await claim(changed, 'c', { content: 'v2' })).toEqual({
      state: 'claimed',
      fence: 1,
      previous: 'ref before',
    });
  });

  it('does not trust that the same is still there once a change of it has begun', async () => {
    const dedupe = newDedupeKey();
    await send(dedupe, 'a', { content: 'v1' });
    expect(await claim(dedupe, 'b', { content: 'v2' })).toMatchObject({ previous: 'ref a' });
    await settle(dedupe, 'b', { state: 'failed', cause: 'refused half way' });
    expect(await claim(dedupe, 'c', { content: 'v1' })).toEqual({
      state: 'claimed',
      fence: 1,
      previous: 'ref a',
    });
  });

  it('sends again what is gone, unless a later effect was sent', async () => {
    const [gone, changed] = [newDedupeKey(), newDedupeKey()];
    const { ledger } = store;
    await send(gone, 'before', { content: 'v0' });
    await send(gone, 'a');
    expect(await ledger.resend(`${gone} a`, startMs)).toBe('sent');
    expect(await claim(gone, 'b')).toMatchObject({ state: 'busy' });
    expect(await claim(gone, 'a')).toMatchObject({ state: 'probe' });
    expect(await ledger.settle(`${gone} a`, 2, { state: 'pending' }, ask(gone, {}))).toBe(true);
    expect(await claim(gone, 'a')).toEqual({ state: 'claimed', fence: 3 });

    await send(changed, 'a');
    await send(changed, 'b', { content: 'v2', occurrence: '2026-07-07T13:00:00Z' });
    expect(await ledger.resend(`${changed} a`, startMs)).toBe('sent');
    await claim(changed, 'a');
    await ledger.settle(`${changed} a`, 2, { state: 'pending' }, ask(changed, {}));
    expect(await claim(changed, 'a')).toEqual({
      state: 'skipped',
      cause: 'a newer report of the meeting was sent already',
    });
  });

  it('still knows what an effect sent after another has changed it', async () => {
    const dedupe = newDedupeKey();
    await send(dedupe, 'a');
    await send(dedupe, 'b', { content: 'v2', occurrence: '2026-07-07T13:00:00Z' });
    expect(await store.ledger.resend(`${dedupe} a`, startMs)).toBe('sent');
    expect(await claim(dedupe, 'a')).toMatchObject({ state: 'probe', fence: 2 });
    // A probe that finds it says nothing about what it is.
    expect(await store.ledger.settle(`${dedupe} a`, 2, sentAs('ref a'), requestAt(startMs))).toBe(true);
    expect(await claim(dedupe, 'c')).toEqual(sameWasSent);
  });

  it('skips what was opened again when the same was sent meanwhile', async () => {
    const dedupe = newDedupeKey();
    await claim(dedupe, 'a');
    await settle(dedupe, 'a', { state: 'failed', cause: 'refused' });
    await send(dedupe, 'b');
    await store.ledger.reopen(`${dedupe} a`, startMs);
    expect(await claim(dedupe, 'a')).toEqual(sameWasSent);
  });

  it('remembers what was sent although the claim is not there any more', async () => {
    const dedupe = newDedupeKey();
    expect(await settle(dedupe, 'a', sentAs('ref a'))).toBe(true);
    expect(await claim(dedupe, 'b')).toEqual(sameWasSent);
    expect(await claim(dedupe, 'c', { content: 'v2' })).toMatchObject({ previous: 'ref a' });
  });

  it('lets one of many effects of a dedupe key claim at the same time, from several processes', async () => {
    const other = await openLedger(store.backend);
    for (const dedupe of [newDedupeKey(), newDedupeKey(), newDedupeKey()]) {
      const claims = await Promise.all(
        Array.from({ length: 40 }, (_, nth) =>
          (nth % 2 === 0 ? store.ledger : other).claim(`${dedupe} ${nth % 20}`, ask(dedupe, {})),
        ),
      );
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
      expect(claims.filter(({ state }) => state === 'busy')).toHaveLength(39);
    }
    await other.close();
  });
}

/** What a delivery says of its meeting, where not as usual. */
interface Wish {
  readonly meetingStart?: string;
  readonly content?: string;
  readonly occurrence?: string;
  readonly atMs?: number;
}

/** The claim of one delivery of a dedupe key's meeting. */
function writeRequest(dedupe: string, wish: Wish): ClaimRequest {
  const { meetingStart = 'monday', content = 'v1', occurrence = sampleFacts.occurrence, atMs = 0 } = wish;
  return requestAt(startMs + atMs, {
    dedupe: dedupeBy(dedupe, meetingStart, content),
    facts: { ...sampleFacts, occurrence },
  });
}

/** Steps on the effects of dedupe keys, in short words. */
function actOnDedupeKeys(store: OpenLedger) {
  let dedupes = 0;
  const newDedupeKey = (): string => `dedupe-${(dedupes += 1)}`;
  const claim = (dedupe: string, effect: string, wish: Wish = {}): Promise<Claim> =>
    store.ledger.claim(`${dedupe} ${effect}`, writeRequest(dedupe, wish));
  const settle = (
    dedupe: string,
    effect: string,
    settlement: Settlement,
    wish: Wish = {},
  ): Promise<boolean> =>
    store.ledger.settle(`${dedupe} ${effect}`, 1, settlement, writeRequest(dedupe, wish));
  const send = async (dedupe: string, effect: string, wish: Wish = {}): Promise<void> => {
    expect(await claim(dedupe, effect, wish)).toMatchObject({ state: 'claimed' });
    expect(await settle(dedupe, effect, sentAs(`ref ${effect}`), wish)).toBe(true);
  };
  return { newDedupeKey, ask: writeRequest, claim, settle, send };
}
