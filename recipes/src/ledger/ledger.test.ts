import { openBackend, silentLog } from '@aftermeet/queue';
import { describeEachStore, openTestStore, type StoreKind } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { startRelay } from '../testing/start-relay.ts';
import { useLedger } from '../testing/use-ledger.ts';
import type { Claim, ClaimRequest, EffectFacts, EndState } from './ledger.ts';
import { openLedger } from './open-ledger.ts';

const facts: EffectFacts = {
  recipe: 'slack-recap',
  destination: 'slack',
  eventKind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:00:00Z',
  targetHash: 'a'.repeat(64),
  part: 0,
};
const leaseMs = 15_000;
const startMs = 1_795_000_000_000;
const dayMs = 86_400_000;

/** One effect after the other, in a ledger that is the suite's own. */
function useEffects(kind: StoreKind) {
  const store = useLedger(() => openTestStore(kind));
  let lastKey = 0;
  const opened = {
    get ledger() {
      return store.ledger;
    },
    get backend() {
      return store.backend;
    },
    get key() {
      return `effect-${lastKey}`;
    },
  };
  return {
    opened,
    newEffect: (): void => {
      lastKey += 1;
    },
    claimAt: (nowMs: number, more: Partial<ClaimRequest> = {}): Promise<Claim> =>
      opened.ledger.claim(opened.key, {
        nowMs,
        leaseMs,
        facts,
        startedTimes: 1,
        earliestMs: startMs,
        ...more,
      }),
  };
}

describeEachStore('the ledger', (kind) => {
  const { claimAt, newEffect, opened } = useEffects(kind);

  it('lets one claim an effect that nobody has tried, and keeps the others away', async () => {
    newEffect();
    expect(await claimAt(startMs)).toEqual({ state: 'claimed', fence: 1 });
    expect(await claimAt(startMs + 1)).toEqual({ state: 'busy', untilMs: startMs + leaseMs });
    expect(await opened.ledger.read(opened.key, startMs)).toBeUndefined();
  });

  it('lets only one of many claim at the same time', async () => {
    newEffect();
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimAt(startMs)));
    expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ state }) => state === 'busy')).toHaveLength(19);
  });

  it('remembers what was sent', async () => {
    newEffect();
    await claimAt(startMs);
    expect(
      await opened.ledger.settle(opened.key, 1, { state: 'sent', reference: 'C1/2.3' }, startMs, facts),
    ).toBe(true);
    expect(await claimAt(startMs + leaseMs)).toEqual({ state: 'sent', reference: 'C1/2.3' });
    expect(await opened.ledger.read(opened.key, startMs)).toEqual({ state: 'sent', reference: 'C1/2.3' });
  });

  it('remembers what cannot be sent', async () => {
    newEffect();
    await claimAt(startMs);
    await opened.ledger.settle(opened.key, 1, { state: 'failed', cause: 'no such channel' }, startMs, facts);
    expect(await claimAt(startMs + leaseMs)).toEqual({ state: 'failed', cause: 'no such channel' });
    expect(await opened.ledger.read(opened.key, startMs)).toEqual({
      state: 'failed',
      cause: 'no such channel',
    });
  });

  it('gives what was surely not accepted to the next one at once', async () => {
    newEffect();
    await claimAt(startMs);
    expect(await opened.ledger.settle(opened.key, 1, { state: 'pending' }, startMs, facts)).toBe(true);
    expect(await claimAt(startMs + 1, { startedTimes: 2 })).toEqual({ state: 'claimed', fence: 2 });
  });

  it('asks for a probe when an attempt was never settled, but not before its lease is over', async () => {
    newEffect();
    await claimAt(startMs);
    expect(await claimAt(startMs + leaseMs - 1, { startedTimes: 2 })).toMatchObject({ state: 'busy' });
    expect(await claimAt(startMs + leaseMs, { startedTimes: 2 })).toEqual({
      state: 'probe',
      fence: 2,
      firstIntentAtMs: startMs,
      probes: 1,
    });
    expect(await claimAt(startMs + leaseMs, { startedTimes: 3 })).toMatchObject({ state: 'busy' });
  });

  it('asks for a probe after an unknown outcome, with the time of the first intent', async () => {
    newEffect();
    await claimAt(startMs);
    await opened.ledger.settle(opened.key, 1, { state: 'unknown', cause: 'cut off' }, startMs + 10, facts);
    expect(await claimAt(startMs + 20, { startedTimes: 2 })).toEqual({
      state: 'busy',
      untilMs: startMs + leaseMs,
    });
    await claimAt(startMs + leaseMs, { startedTimes: 3 });
    await opened.ledger.settle(
      opened.key,
      2,
      { state: 'unknown', cause: 'cut off' },
      startMs + leaseMs,
      facts,
    );
    expect(await claimAt(startMs + 5 * leaseMs, { startedTimes: 4 })).toEqual({
      state: 'probe',
      fence: 3,
      firstIntentAtMs: startMs,
      probes: 2,
    });
  });

  it('lets nobody settle or renew with an old fence, nor twice with one', async () => {
    newEffect();
    await claimAt(startMs);
    await claimAt(startMs + leaseMs);
    expect(
      await opened.ledger.settle(opened.key, 1, { state: 'sent', reference: 'old' }, startMs, facts),
    ).toBe(false);
    expect(await opened.ledger.renew(opened.key, 1, startMs + 9 * leaseMs)).toBe(false);
    expect(
      await opened.ledger.settle(opened.key, 2, { state: 'sent', reference: 'new' }, startMs, facts),
    ).toBe(true);
    expect(await opened.ledger.settle(opened.key, 2, { state: 'pending' }, startMs, facts)).toBe(false);
    expect(await claimAt(startMs + 9 * leaseMs)).toEqual({ state: 'sent', reference: 'new' });
    expect(await opened.ledger.settle('never-claimed', 1, { state: 'pending' }, startMs, facts)).toBe(false);
  });

  it('prolongs a lease', async () => {
    newEffect();
    await claimAt(startMs);
    expect(await opened.ledger.renew(opened.key, 1, startMs + 2 * leaseMs)).toBe(true);
    expect(await claimAt(startMs + leaseMs)).toEqual({ state: 'busy', untilMs: startMs + 2 * leaseMs });
  });

  it('does not ask for a probe when every earlier start of the job came to rest', async () => {
    newEffect();
    await opened.ledger.rest(opened.key, 1, facts);
    await opened.ledger.rest(opened.key, 2, facts);
    expect(await claimAt(startMs, { startedTimes: 3 })).toEqual({ state: 'claimed', fence: 1 });
  });

  it('leaves an open attempt open when a later start comes to rest', async () => {
    newEffect();
    await claimAt(startMs);
    await opened.ledger.rest(opened.key, 2, facts);
    expect(await claimAt(startMs + leaseMs, { startedTimes: 3 })).toMatchObject({ state: 'probe' });
  });

  it('does not count a probe that came to nothing', async () => {
    newEffect();
    await claimAt(startMs);
    const isProbeUsed = false;
    for (const time of [1, 2, 3]) {
      const nowMs = startMs + time * leaseMs;
      expect(await claimAt(nowMs)).toMatchObject({ state: 'probe', probes: 1 });
      const settlement = { state: 'unknown' as const, cause: 'limited', isProbeUsed };
      expect(await opened.ledger.settle(opened.key, time + 1, settlement, nowMs, facts)).toBe(true);
    }
  });

  it('can be opened by several processes at once', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => openLedger(opened.backend, silentLog)));
    expect(others).toHaveLength(4);
    for (const other of others) await other.close();
  });
});

describeEachStore(
  'the ledger in a store that can lose its last moments',
  (kind) => {
    const { claimAt, newEffect, opened } = useEffects(kind);

    async function connectRedis() {
      if (opened.backend.kind !== 'redis') throw new Error('not Redis');
      const redis = opened.backend.connect('accept');
      await new Promise((resolve) => redis.once('ready', resolve));
      return redis;
    }

    it('asks for a probe when a start of the job left no trace, because Redis may have lost it', async () => {
      newEffect();
      expect(await claimAt(startMs + 1000, { startedTimes: 2 })).toEqual({
        state: 'probe',
        fence: 1,
        firstIntentAtMs: startMs,
        probes: 1,
      });
      newEffect();
      await opened.ledger.rest(opened.key, 1, facts);
      expect(await claimAt(startMs + 1000, { startedTimes: 3 })).toMatchObject({ state: 'probe' });
    });

    it('does not let a later start rest in the place of one that left no trace', async () => {
      newEffect();
      // Start 1 may have sent something; its claim is lost. Start 2 only had to wait for its turn.
      await opened.ledger.rest(opened.key, 2, facts);
      expect(await claimAt(startMs + 1000, { startedTimes: 3 })).toMatchObject({ state: 'probe' });
      newEffect();
      await opened.ledger.rest(opened.key, 1, facts);
      await opened.ledger.rest(opened.key, 3, facts);
      expect(await claimAt(startMs + 1000, { startedTimes: 4 })).toMatchObject({ state: 'probe' });
    });

    it.each<EndState>([
      { state: 'sent', reference: 'C1/2.3' },
      { state: 'failed', cause: 'no such channel' },
    ])('stores that an effect is $state although its claim was lost meanwhile', async (end) => {
      newEffect();
      await claimAt(startMs);
      const redis = await connectRedis();
      await redis.del(`{aftermeet}:ledger:${opened.key}`);
      expect(await opened.ledger.settle(opened.key, 1, end, startMs, facts)).toBe(true);
      expect(await claimAt(startMs + leaseMs, { startedTimes: 2 })).toEqual(end);
      expect(await redis.hget(`{aftermeet}:ledger:${opened.key}`, 'meeting_id')).toBe('m_1');
      expect(await redis.pttl(`{aftermeet}:ledger:${opened.key}`)).toBeGreaterThan(29 * dayMs);
      redis.disconnect();
    });

    it('stores nothing that is not final when the claim was lost, and nothing over a newer claim', async () => {
      newEffect();
      await claimAt(startMs);
      const redis = await connectRedis();
      await redis.del(`{aftermeet}:ledger:${opened.key}`);
      const { ledger, key } = opened;
      expect(await ledger.settle(key, 1, { state: 'pending' }, startMs, facts)).toBe(false);
      expect(await ledger.settle(key, 1, { state: 'unknown', cause: 'cut off' }, startMs, facts)).toBe(false);
      expect(await claimAt(startMs, { startedTimes: 2 })).toMatchObject({ state: 'probe', fence: 1 });
      expect(await ledger.settle(key, 2, { state: 'sent', reference: 'r' }, startMs, facts)).toBe(false);
      redis.disconnect();
    });

    it('keeps what was sent for 90 days and what is unknown for ever', async () => {
      const redis = await connectRedis();
      newEffect();
      await claimAt(startMs);
      await opened.ledger.settle(opened.key, 1, { state: 'unknown', cause: 'cut off' }, startMs, facts);
      expect(await redis.pttl(`{aftermeet}:ledger:${opened.key}`)).toBe(-1);
      await claimAt(startMs + leaseMs);
      await opened.ledger.settle(opened.key, 2, { state: 'sent', reference: 'r' }, startMs, facts);
      expect(await redis.pttl(`{aftermeet}:ledger:${opened.key}`)).toBeGreaterThan(90 * dayMs - 60_000);
      redis.disconnect();
    });
  },
  ['redis'],
);

describeEachStore(
  'the ledger in a store that loses nothing',
  (kind) => {
    const { claimAt, newEffect, opened } = useEffects(kind);

    it('takes a missing trace for what it is, because PostgreSQL loses nothing', async () => {
      newEffect();
      expect(await claimAt(startMs, { startedTimes: 2 })).toEqual({ state: 'claimed', fence: 1 });
    });

    it('forgets what was sent after 90 days and never what is unknown', async () => {
      newEffect();
      await claimAt(startMs);
      await opened.ledger.settle(opened.key, 1, { state: 'sent', reference: 'r' }, startMs, facts);
      await opened.ledger.sweep(startMs + 90 * dayMs - 1);
      expect(await opened.ledger.read(opened.key, startMs)).toEqual({ state: 'sent', reference: 'r' });
      expect(await opened.ledger.read(opened.key, startMs + 90 * dayMs)).toBeUndefined();
      expect(await claimAt(startMs + 90 * dayMs)).toEqual({ state: 'claimed', fence: 2 });
      await opened.ledger.settle(
        opened.key,
        2,
        { state: 'unknown', cause: 'cut off' },
        startMs + 90 * dayMs,
        facts,
      );
      await opened.ledger.sweep(startMs + 9000 * dayMs);
      expect(await claimAt(startMs + 9000 * dayMs)).toMatchObject({ state: 'probe', fence: 3 });
    });
  },
  ['postgres'],
);

describeEachStore(
  'the ledger on a server that falls silent',
  (kind) => {
    it('closes although its server does not answer', async () => {
      const store = await openTestStore(kind);
      const url = new URL(store.queueUrl);
      const relay = await startRelay({ host: url.hostname, port: Number(url.port) });
      url.hostname = '127.0.0.1';
      url.port = String(relay.port);
      const backend = await openBackend(url.href, { log: silentLog });
      const ledger = await openLedger(backend, silentLog);
      expect(await ledger.read('any', startMs)).toBeUndefined();
      relay.mute();
      await ledger.close();
      await backend.close();
      await relay.close();
      await store.dispose();
    });
  },
  ['redis'],
);
