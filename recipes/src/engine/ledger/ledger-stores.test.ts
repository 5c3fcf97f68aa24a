import { emptyNamespace, openBackend, silentLog, runRedisScript } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { expect, it } from 'vitest';

import { dedupeBy, leaseMs, requestAt, sampleFacts, sentAs, startMs } from '../../testing/effect-requests.ts';
import { relayStore } from '../../testing/start-relay.ts';
import { useLedger } from '../../testing/use-ledger.ts';
import { openLedger } from '../store/open-stores.ts';
import { effectStates, type EntryPage, type EntryPlace, type Settlement } from './ledger.ts';
import { claimScript, listClaim, listSettle, settleScript } from './redis-ledger-scripts.ts';

const dayMs = 86_400_000;
const failed: Settlement = { state: 'failed', cause: 'no such channel' };
const skipped: Settlement = { state: 'skipped', cause: 'its time was over' };
const parked: Settlement = { state: 'parked', cause: 'nobody can tell' };
const unknown: Settlement = { state: 'unknown', cause: 'cut off' };
const pending: Settlement = { state: 'pending' };

describeEachStore(
  'a ledger of its own',
  (kind) => {
    const openOwn = async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      const close = async (): Promise<void> => {
        await backend.close();
        await store.dispose();
      };
      return { backend, ledger: await openLedger(backend), close };
    };

    it('is empty and works after its namespace was emptied', async () => {
      const { backend, ledger, close } = await openOwn();
      await ledger.claim('any', requestAt(startMs));
      await ledger.settle('any', 1, sentAs('r'), requestAt(startMs));
      await ledger.close();
      await emptyNamespace(backend);
      const after = await openLedger(backend);
      expect((await after.counts()).sent).toBe(0);
      expect(await after.claim('any', requestAt(startMs))).toEqual({ state: 'claimed', fence: 1 });
      expect(await after.settle('any', 1, sentAs('r'), requestAt(startMs))).toBe(true);
      await after.close();
      await close();
    });

    it('lists the effects of one meeting, and those whose keys begin alike, over all pages', async () => {
      const { ledger, close } = await openOwn();
      // Another fact of an effect may be written like a meeting.
      const named = [
        ['a1', { meetingId: 'm_1' }],
        ['b1', { meetingId: 'm_10' }],
        ['a2', { meetingId: 'm_2', recipe: 'm_1' }],
        ['b2', { meetingId: 'm_1', part: 1 }],
        ['a3', { meetingId: 'a "series" ü' }],
      ] as const;
      for (const [nth, [key, facts]] of named.entries()) {
        const request = requestAt(startMs + nth, { facts: { ...sampleFacts, ...facts } });
        await ledger.claim(key, request);
        await ledger.settle(key, 1, key === 'b2' ? failed : sentAs('r'), request);
      }
      const listAll = async (filter: { meetingId?: string; keyPrefix?: string }): Promise<string[]> => {
        const keys: string[] = [];
        let after: EntryPlace | undefined;
        do {
          const page: EntryPage = await ledger.list({
            ...filter,
            states: ['sent', 'failed'],
            limit: 2,
            ...(after === undefined ? {} : { after }),
          });
          keys.push(...page.entries.map(({ effectKey }) => effectKey));
          after = page.next;
        } while (after !== undefined);
        return keys;
      };
      expect(await listAll({ meetingId: 'm_1' })).toEqual(['b2', 'a1']);
      expect(await listAll({ meetingId: 'a "series" ü' })).toEqual(['a3']);
      expect(await listAll({ meetingId: 'm_3' })).toEqual([]);
      expect(await listAll({ keyPrefix: 'a' })).toEqual(['a3', 'a2', 'a1']);
      expect(await listAll({ keyPrefix: 'b', meetingId: 'm_10' })).toEqual(['b1']);
      await ledger.close();
      await close();
    });

    it('forgets in the sweep what is past its time, and nothing else', async () => {
      const { ledger, close } = await openOwn();
      const ends = [sentAs('r'), skipped, failed, pending, unknown, parked, undefined];
      for (const [nth, end] of ends.entries()) {
        await ledger.claim(`e${nth}`, requestAt(startMs));
        if (end !== undefined) await ledger.settle(`e${nth}`, 1, end, requestAt(startMs));
      }
      const listKept = async (): Promise<string[]> =>
        Object.entries(await ledger.counts()).flatMap(([state, count]) => (count === 1 ? [state] : []));
      await ledger.sweep(startMs + 30 * dayMs - 1);
      expect(await listKept()).toHaveLength(7);
      await ledger.sweep(startMs + 90 * dayMs - 1);
      expect(await listKept()).toEqual(['pending', 'sending', 'unknown', 'sent', 'skipped', 'parked']);
      await ledger.sweep(startMs + 9000 * dayMs);
      expect(await listKept()).toEqual(['sending', 'unknown', 'parked']);
      await ledger.close();
      await close();
    });
  },
  ['redis', 'postgres'],
);

describeEachStore(
  'the ledger in a store that can lose its last moments',
  (kind) => {
    const store = useLedger(() => openTestStore(kind));
    const keyOf = (effect: string): string => `{aftermeet}:ledger:${effect}`;

    async function connectRedis() {
      if (store.backend.kind !== 'redis') throw new Error('not Redis');
      const redis = store.backend.connect('accept');
      await new Promise((resolve) => redis.once('ready', resolve));
      return redis;
    }
    const lost = { isTraceComplete: false, earliestMs: startMs - 1000 };
    /** A second as a fence: no claim that was counted from 1 had it. */
    const freshFence = 1_795_000_001;

    it('asks for a probe when a start of the job left no trace, under a fence that nobody has had', async () => {
      const { ledger } = store;
      const redis = await connectRedis();
      await ledger.claim('lost', requestAt(startMs));
      await redis.del(keyOf('lost'));
      expect(await ledger.claim('lost', requestAt(startMs + 1000, lost))).toEqual({
        state: 'probe',
        fence: freshFence,
        firstIntentAtMs: startMs - 1000,
        probes: 1,
      });
      expect(await ledger.settle('lost', 1, pending, requestAt(startMs + 1001))).toBe(false);
      expect(await ledger.settle('lost', freshFence, sentAs('r'), requestAt(startMs + 1002))).toBe(true);
      redis.disconnect();
    });

    it.each<Settlement>([sentAs('C1/2.3'), failed])(
      'stores that an effect is $state although its claim was lost meanwhile',
      async (end) => {
        const key = `lost ${end.state}`;
        const redis = await connectRedis();
        await store.ledger.claim(key, requestAt(startMs));
        await redis.del(keyOf(key));
        expect(await store.ledger.settle(key, 1, end, requestAt(startMs))).toBe(true);
        expect(await store.ledger.claim(key, requestAt(startMs + leaseMs, lost))).toEqual(end);
        expect(await store.ledger.read(key, startMs)).toMatchObject({ meetingId: 'm_1', attempts: 1 });
        expect(await redis.pttl(keyOf(key))).toBeGreaterThan(29 * dayMs);
        redis.disconnect();
      },
    );

    it('does not hold up a dedupe key for an effect whose claim was lost', async () => {
      const dedupe = dedupeBy('held', 'monday', 'v1');
      const redis = await connectRedis();
      await store.ledger.claim('holder', requestAt(startMs, { dedupe }));
      await redis.del(keyOf('holder'));
      expect(await store.ledger.claim('next', requestAt(startMs, { dedupe }))).toMatchObject({
        state: 'claimed',
      });
      redis.disconnect();
    });

    it('keeps what was sent for 90 days, its dedupe key as long, and what is open for ever', async () => {
      const redis = await connectRedis();
      const dedupe = dedupeBy('kept', 'monday', 'v1');
      const request = requestAt(startMs, { dedupe });
      await store.ledger.claim('kept', request);
      expect(await redis.pttl(keyOf('kept'))).toBe(-1);
      await store.ledger.settle('kept', 1, pending, request);
      expect(await redis.pttl(keyOf('kept'))).toBeGreaterThan(90 * dayMs - 60_000);
      expect(await redis.exists(keyOf(`dedupe:${dedupe.key}`))).toBe(0);
      await store.ledger.claim('kept', request);
      await store.ledger.settle('kept', 2, unknown, request);
      expect(await redis.pttl(keyOf('kept'))).toBe(-1);
      await store.ledger.decide('kept', 'sent', startMs);
      expect(await redis.pttl(keyOf('kept'))).toBeGreaterThan(90 * dayMs - 60_000);
      expect(await redis.pttl(keyOf(`dedupe:${dedupe.key}`))).toBeGreaterThan(90 * dayMs - 60_000);
      redis.disconnect();
    });

    it('has a command that was sent twice end in busy, and one outcome that was sent twice be the same', async () => {
      const redis = await connectRedis();
      const dedupe = dedupeBy('twice', 'monday', 'v1');
      const request = requestAt(startMs, { dedupe });
      const states = effectStates.map((state) => `state:${state}`);
      const keys = ['twice', `dedupe:${dedupe.key}`, ...states].map(keyOf);
      const claim = (): Promise<unknown> =>
        runRedisScript(redis, claimScript, keys, [keyOf(''), ...listClaim({ effectKey: 'twice', request })]);
      expect(await claim()).toEqual([['claimed', 1, '']]);
      expect(await claim()).toEqual([['busy', String(startMs + leaseMs)]]);
      const item = { effectKey: 'twice', fence: 1, settlement: sentAs('r'), request };
      const settle = (): Promise<unknown> =>
        runRedisScript(redis, settleScript, keys, [keyOf(''), ...listSettle(item)]);
      expect(await settle()).toEqual([1]);
      const before = await redis.hgetall(keyOf('twice'));
      expect(await settle()).toEqual([1]);
      expect(await redis.hgetall(keyOf('twice'))).toEqual(before);
      redis.disconnect();
    });

    it('lists all pages although rows have expired, and none twice that was filed anew', async () => {
      const own = await openTestStore(kind);
      const backend = await openBackend(own.queueUrl, { log: silentLog });
      if (backend.kind !== 'redis') throw new Error('not Redis');
      const redis = backend.connect('work');
      const ledger = await openLedger(backend);
      const keys = Array.from({ length: 12 }, (_, nth) => `e${nth}`);
      for (const [nth, key] of keys.entries()) {
        await ledger.claim(key, requestAt(startMs + nth));
        await ledger.settle(key, 1, failed, requestAt(startMs + nth));
      }
      const gone = ['e11', 'e10', 'e5'];
      await redis.del(gone.map(keyOf));
      await ledger.claim('e10', requestAt(startMs + 10));
      const listed: string[] = [];
      let after: EntryPlace | undefined;
      do {
        const page: EntryPage = await ledger.list({
          states: ['failed', 'sending'],
          limit: 2,
          ...(after === undefined ? {} : { after }),
        });
        listed.push(...page.entries.map(({ effectKey }) => effectKey));
        after = page.next;
      } while (after !== undefined);
      expect(listed).toEqual(['e10', 'e9', 'e8', 'e7', 'e6', 'e4', 'e3', 'e2', 'e1', 'e0']);
      redis.disconnect();
      await ledger.close();
      await backend.close();
      await own.dispose();
    });

    it('goes on with a server that has forgotten its scripts', async () => {
      const redis = await connectRedis();
      await redis.script('FLUSH');
      expect(await store.ledger.claim('forgotten', requestAt(startMs))).toMatchObject({ state: 'claimed' });
      redis.disconnect();
    });

    it('closes although its server does not answer', async () => {
      const own = await openTestStore(kind);
      const { relay, url } = await relayStore(own.queueUrl);
      const backend = await openBackend(url, { log: silentLog });
      const ledger = await openLedger(backend);
      expect(await ledger.read('any', startMs)).toBeUndefined();
      relay.mute();
      const waiting = Promise.allSettled([
        ledger.read('any', startMs),
        ledger.sweep(startMs),
        ledger.claim('any', requestAt(startMs)),
      ]);
      await ledger.close();
      expect((await waiting).every(({ status }) => status === 'rejected')).toBe(true);
      await backend.close();
      await relay.close();
      await own.dispose();
    });
  },
  ['redis'],
);

describeEachStore(
  'the ledger in a store that loses nothing',
  (kind) => {
    const store = useLedger(() => openTestStore(kind));

    it('has one that PostgreSQL cannot hold fail alone', async () => {
      const facts = { ...sampleFacts, part: 3_000_000_000 };
      const claims = await Promise.allSettled([
        store.ledger.claim('too large', requestAt(startMs, { facts })),
        store.ledger.claim('beside it', requestAt(startMs)),
      ]);
      expect(claims).toMatchObject([
        { status: 'rejected', reason: { code: '22003' } },
        { status: 'fulfilled', value: { state: 'claimed' } },
      ]);
    });

    it('settles although its connections are cut again and again', async () => {
      if (store.backend.kind !== 'postgres') throw new Error('not PostgreSQL');
      const client = new pg.Client(store.backend.poolConfig('accept'));
      await client.connect();
      const keys = Array.from({ length: 200 }, (_, nth) => `cut-${nth}`);
      await Promise.all(keys.map((key) => store.ledger.claim(key, requestAt(startMs))));
      const settled = Promise.all(
        keys.map((key) => store.ledger.settle(key, 1, sentAs('r'), requestAt(startMs))),
      );
      for (let cuts = 0; cuts < 10; cuts += 1) {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'aftermeet-work'`,
        );
      }
      expect(await settled).toEqual(keys.map(() => true));
      await client.end();
    });

    it('takes what is past its time for gone', async () => {
      const { ledger } = store;
      const dedupe = dedupeBy('s', 'monday', 'v1');
      await ledger.claim('old', requestAt(startMs, { dedupe }));
      await ledger.settle('old', 1, sentAs('r'), requestAt(startMs, { dedupe }));
      const later = (atMs: number) => requestAt(atMs, { dedupe: dedupeBy('s', 'monday', 'v2') });
      expect(await ledger.read('old', startMs + 90 * dayMs - 1)).toMatchObject({ state: 'sent' });
      expect(await ledger.read('old', startMs + 90 * dayMs)).toBeUndefined();
      expect(await ledger.decide('old', 'not_sent', startMs + 90 * dayMs)).toBeUndefined();
      expect(await ledger.claim('next', later(startMs + 90 * dayMs - 1))).toMatchObject({ previous: 'r' });
      await ledger.settle('next', 1, failed, later(startMs + 90 * dayMs - 1));
      expect(await ledger.claim('another', later(startMs + 90 * dayMs))).toEqual({
        state: 'claimed',
        fence: 1,
      });
      await ledger.settle('another', 1, failed, later(startMs + 90 * dayMs));
      expect(await ledger.claim('old', later(startMs + 90 * dayMs))).toEqual({ state: 'claimed', fence: 1 });
      expect(await ledger.settle('old', 1, sentAs('new'), later(startMs + 90 * dayMs))).toBe(true);
      expect(await ledger.settle('old', 1, sentAs('again'), later(startMs + 180 * dayMs))).toBe(true);
    });
  },
  ['postgres'],
);
