import { type Backend, emptyNamespace, openBackend, silentLog } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import fc from 'fast-check';
import pg from 'pg';
import { expect, it } from 'vitest';

import { relayStore } from '../../testing/start-relay.ts';
import { useOpened } from '../../testing/use-ledger.ts';
import { type SlotCommand, moveSlot, startRateLimit, type Admission } from './move-slot.ts';
import { type RateLimits, openSharedLimits } from './rate-limits.ts';

const nowMs = 1_795_000_000_000;

const gapMs = 1000;

const openLanes = async (backend: Backend): Promise<RateLimits> =>
  (await openSharedLimits(backend)).rateLimits;

/** Two workers: both make what is missing, at the same time. */
async function openWorkers(backend: Backend) {
  const [one, other] = await Promise.all([openLanes(backend), openLanes(backend)]);
  return { one, other, close: async () => void (await Promise.all([one.close(), other.close()])) };
}

describeEachStore(
  'the rateLimits',
  (kind) => {
    const workers = useOpened(() => openTestStore(kind), openWorkers);
    const open = () => ({ backend: workers().backend, ...workers().opened });
    let lastLane = 0;
    const newLane = () => ({ name: `slack C${(lastLane += 1)}`, gapMs });

    it('are shared by all workers: turns in the order asked for, one effect in a gap', async () => {
      const { one, other } = open();
      const [rateLimit, second] = [newLane(), newLane()];
      expect(await one.reserve([rateLimit, second, rateLimit], nowMs)).toEqual([
        { slotMs: nowMs, atMs: nowMs, place: 1 },
        { slotMs: nowMs, atMs: nowMs, place: 1 },
        { slotMs: nowMs + 1000, atMs: nowMs + 1000, place: 2 },
      ]);
      expect(await other.reserve([rateLimit], nowMs + 5)).toEqual([
        { slotMs: nowMs + 2000, atMs: nowMs + 2000, place: 3 },
      ]);
      expect(await other.enter({ rateLimit, slotMs: nowMs }, nowMs)).toEqual({ kind: 'go' });
      expect(await one.enter({ rateLimit, slotMs: nowMs + 1000 }, nowMs + 10)).toEqual({
        kind: 'wait',
        isPaused: false,
        slotMs: nowMs + 1000,
        atMs: nowMs + 1000,
        place: 1,
      });
      expect(await one.enter({ rateLimit: second, slotMs: nowMs }, nowMs + 10)).toEqual({ kind: 'go' });
    });

    it('let one go of those that come at the same moment to several workers', async () => {
      const { backend, one, other } = open();
      const third = await openLanes(backend);
      const rateLimit = newLane();
      const visits = [one, other, third].flatMap((rateLimits) =>
        Array.from({ length: 20 }, () => rateLimits.enter({ rateLimit }, nowMs)),
      );
      const answers = await Promise.all(visits);
      await third.close();
      expect(answers.filter(({ kind: answer }) => answer === 'go')).toHaveLength(1);
      const times = answers.flatMap((answer) => (answer.kind === 'wait' ? [answer.atMs - nowMs] : []));
      expect(times.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 59 }, (_, index) => (index + 1) * gapMs),
      );
    });

    it('give ten thousand turns in one rateLimit, and make no other one wait for it', async () => {
      const { one, other } = open();
      const [full, free] = [newLane(), newLane()];
      const turns = await one.reserve(
        Array.from({ length: 10_000 }, () => full),
        nowMs,
      );
      expect(turns.at(-1)).toEqual({ slotMs: nowMs + 9_999_000, atMs: nowMs + 9_999_000, place: 10_000 });
      expect(await other.enter({ rateLimit: free }, nowMs)).toEqual({ kind: 'go' });
    });

    it('answer as the rules say, whatever comes', async () => {
      const { one, other } = open();
      const step = fc.record({
        passedMs: fc.integer({ min: 0, max: 3000 }),
        isOther: fc.boolean(),
        kind: fc.constantFrom('reserve', 'enter', 'enter', 'return', 'pause'),
        pick: fc.nat(),
        pauseMs: fc.integer({ min: 0, max: 10_000 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const rateLimit = newLane();
          let [timeMs, state] = [nowMs, startRateLimit(nowMs)];
          const turns: (number | undefined)[] = [undefined];
          for (const { passedMs, isOther, kind: wanted, pick, pauseMs } of steps) {
            timeMs += passedMs;
            if (state.lastGoMs === 0 && state.tailMs === nowMs) state = startRateLimit(timeMs);
            const rateLimits = isOther ? other : one;
            const slotMs = turns[pick % turns.length];
            const isReturning = wanted === 'return';
            let command: SlotCommand = { kind: 'enter', slotMs, isReturning };
            let answer: Admission | { slotMs: number; atMs: number } | undefined;
            if (wanted === 'reserve') {
              command = { kind: 'reserve' };
              [answer] = await rateLimits.reserve([rateLimit], timeMs);
            } else if (wanted === 'pause') {
              command = { kind: 'pause', untilMs: timeMs + pauseMs };
              answer = await rateLimits.pause(rateLimit, timeMs + pauseMs, timeMs);
            } else answer = await rateLimits.enter({ rateLimit, slotMs, isReturning }, timeMs);
            const move = moveSlot(state, command, { nowMs: timeMs, gapMs });
            state = move.state;
            expect(move.answer).toMatchObject(answer ?? { kind: 'none' });
            if (move.answer.kind === 'wait') turns.push(move.answer.slotMs);
          }
        }),
        { numRuns: 25 },
      );
    });

    it('outlast connections that are cut again and again', async () => {
      const { backend, one } = open();
      if (backend.kind !== 'postgres') return;
      const rateLimits = Array.from({ length: 300 }, newLane);
      const client = new pg.Client(backend.poolConfig('accept'));
      await client.connect();
      const entered = Promise.all(rateLimits.map((rateLimit) => one.enter({ rateLimit }, nowMs)));
      for (let cuts = 0; cuts < 10; cuts += 1) {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'aftermeet-work'`,
        );
      }
      expect(new Set((await entered).map((answer) => answer.kind))).toEqual(new Set(['go']));
      await client.end();
    });

    it('know a swap again that was done although its answer was lost: an effect does not wait for itself', async () => {
      const { backend: direct } = open();
      if (direct.kind !== 'postgres') return;
      const own = await openTestStore(kind);
      const { relay, url } = await relayStore(own.queueUrl);
      const backend = await openBackend(url, { log: silentLog });
      const { rateLimits } = await openSharedLimits(backend);
      const [rateLimit, other] = [newLane(), newLane()];
      await rateLimits.reserve([other], nowMs);
      const client = new pg.Client(own.queueUrl);
      await client.connect();
      relay.mute();
      const entered = rateLimits.enter({ rateLimit }, nowMs);
      const isThere = async (): Promise<number | null> =>
        (await client.query('select from aftermeet.records where name = $1', [`limit:${rateLimit.name}`]))
          .rowCount;
      await expect.poll(isThere).toBe(1);
      relay.cut();
      expect(await entered).toEqual({ kind: 'go' });
      await client.end();
      await rateLimits.close();
      await backend.close();
      await relay.close();
      await own.dispose();
    });

    it('close although the store is away, and leave nobody waiting', async () => {
      const store = await openTestStore(kind);
      const { relay, url } = await relayStore(store.queueUrl);
      const backend = await openBackend(url, { log: silentLog });
      const { rateLimits, keyWatch } = await openSharedLimits(backend);
      const rateLimit = newLane();
      await rateLimits.reserve([rateLimit], nowMs);
      relay.mute();
      const waiting = [
        rateLimits.enter({ rateLimit }, nowMs),
        rateLimits.sweep(nowMs),
        keyWatch.refused(nowMs),
      ];
      const ended = Promise.allSettled(kind === 'redis' ? waiting.filter((_, nth) => nth !== 1) : waiting);
      await rateLimits.close();
      expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
      await backend.close();
      await relay.close();
      await store.dispose();
    });

    it('start anew where the store was emptied, and when they are opened again', async () => {
      const { backend, one } = open();
      const rateLimit = newLane();
      await one.reserve([rateLimit, rateLimit, rateLimit], nowMs);
      await emptyNamespace(backend);
      const again = await openLanes(backend);
      expect(await again.enter({ rateLimit, slotMs: nowMs + 2000 }, nowMs)).toEqual({ kind: 'go' });
      expect(await one.reserve([rateLimit], nowMs)).toEqual([
        { slotMs: nowMs + 1000, atMs: nowMs + 1000, place: 1 },
      ]);
      await again.close();
    });
  },
  ['redis', 'postgres'],
);
