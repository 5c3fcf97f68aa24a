import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { openQueues } from './bullmq/queues.ts';
import {
  type Backend,
  createJobQueue,
  type EffectJob,
  emptyNamespace,
  type EventJob,
  type JobAdmin,
  type JobName,
  type JobOutcome,
  type JobQueue,
  openBackend,
  openJobAdmin,
  silentLog,
  startJobWorker,
  type StoredJob,
  type TakenJob,
} from './index.ts';
import { openProducer } from './job-queue.ts';

const log = silentLog;

function makeEvent(body: string): EventJob {
  return { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body };
}

function makeEffect(effectKey: string): EffectJob {
  return {
    effectKey,
    destination: 'notion',
    recipe: 'notion-page',
    target: 'ds_1',
    part: 0,
    event: {
      kind: 'meeting.completed',
      meetingId: 'm_1',
      occurrence: '2026-11-21T09:00:00Z',
      endpoint: 'default',
      title: 'NUL \u0000',
      receivedAt: '2026-11-21T09:30:00.000Z',
    },
  };
}

describeEachStore(
  'the admin',
  (kind) => {
    let store: TestStore;
    let backend: Backend;
    let queue: JobQueue;
    let admin: JobAdmin;

    beforeAll(async () => {
      store = await openTestStore(kind);
      backend = await openBackend(store.queueUrl, { log });
      queue = await createJobQueue(backend);
      admin = await openJobAdmin(backend);
    });
    beforeEach(() => emptyNamespace(backend));
    afterAll(async () => {
      await admin.close();
      await queue.close();
      await backend.close();
      await store.dispose();
    });

    /** Runs a worker until `isOver`. */
    async function workUntil<Name extends JobName>(
      name: Name,
      handle: (job: TakenJob<Name>) => Promise<JobOutcome<Name>>,
      isOver: () => boolean | Promise<boolean>,
    ): Promise<void> {
      const worker = startJobWorker(backend, name, handle, {
        concurrency: 20,
        log,
        ...(name === 'effect' ? { destination: 'notion' } : {}),
      });
      await expect.poll(isOver, { timeout: 10_000, interval: 10 }).toBe(true);
      await worker.close();
    }

    async function listEvents(range?: { fromMs?: number; toMs?: number }): Promise<StoredJob<'event'>[]> {
      const found: StoredJob<'event'>[] = [];
      for await (const job of admin.listEvents(range)) found.push(job);
      return found;
    }

    it('lists events by the time they were added, newest first, in any state', async () => {
      // They end in another order than they came in: some at once, some later, some not at all.
      const outcomes: { [body: string]: () => JobOutcome<'event'> } = {
        failed: () => ({ kind: 'failed', cause: 'no such meeting' }),
        delayed: () => ({ kind: 'wait', forMs: 600_000, cause: 'not_ready' }),
      };
      const bodies = Array.from({ length: 130 }, (_, index) => {
        if (index % 10 === 3) return 'failed';
        return index % 10 === 7 ? 'delayed' : 'done';
      });
      for (let at = 0; at < 130; at += 26) {
        const chunk = bodies.slice(at, at + 26);
        await Promise.all(chunk.map((body, index) => queue.addEvent(`job-${at + index}`, makeEvent(body))));
      }
      await workUntil(
        'event',
        (job) => Promise.resolve(outcomes[job.data.body]?.() ?? { kind: 'done' }),
        async () => (await queue.counts('event')).waiting === 0,
      );
      await queue.addEvent('job-last', makeEvent('waiting'));

      const found = await listEvents();
      expect(new Set(found.map(({ id }) => id)).size).toBe(131);
      expect(found).toHaveLength(131);
      const times = found.map(({ addedAtMs }) => addedAtMs);
      expect(times).toEqual(times.toSorted((one, other) => other - one));
      expect(found[0]).toEqual({
        id: 'job-last',
        data: makeEvent('waiting'),
        state: 'waiting',
        addedAtMs: times[0],
        startedTimes: 0,
      });
      const states = found.map(({ data, state }) => `${data?.body} ${state}`);
      expect(new Set(states)).toEqual(
        new Set(['waiting waiting', 'done completed', 'failed failed', 'delayed delayed']),
      );

      const [fromMs, toMs] = [times[110] ?? 0, times[30] ?? 0];
      const inRange = await listEvents({ fromMs, toMs });
      expect(inRange.map(({ id }) => id).toSorted()).toEqual(
        found
          .filter(({ addedAtMs }) => addedAtMs >= fromMs && addedAtMs <= toMs)
          .map(({ id }) => id)
          .toSorted(),
      );
      expect(await listEvents({ fromMs: (times[0] ?? 0) + 1 })).toEqual([]);
    });

    it('deletes events and effects with all that they hold, but not one that a worker has', async () => {
      await queue.addEvent('job-1', makeEvent('one'));
      await queue.addEvent('job-2', makeEvent('two'));
      await queue.addEffects([{ job: makeEffect('k1') }, { job: makeEffect('k2') }]);
      let isHeldByWorker: boolean | undefined;
      await workUntil(
        'effect',
        async (job) => {
          if (job.data.effectKey === 'k1') isHeldByWorker = await admin.removeEffect('notion', 'k1');
          return { kind: 'done' };
        },
        async () => (await queue.countEffects('notion')).completed === 2,
      );
      expect(isHeldByWorker).toBe(false);
      expect(await admin.removeEffect('notion', 'k1')).toBe(true);
      expect(await admin.removeEffect('notion', 'k1')).toBe(false);
      expect(await admin.removeEvent('job-1')).toBe(true);
      expect(await admin.removeEvent('job-none')).toBe(false);
      expect(await admin.findEffect('notion', 'k1')).toBeUndefined();
      expect(await admin.findEffect('notion', 'k2')).toMatchObject({ state: 'completed' });
      expect((await listEvents()).map(({ id }) => id)).toEqual(['job-2']);
      expect(await queue.counts('event')).toMatchObject({ waiting: 1 });
    });

    it('lists the newest first when the oldest ended last', async () => {
      const open: (() => void)[] = [];
      const bodies = ['1', '2', '3', '4'];
      for (const body of bodies) {
        await queue.addEvent(`job-${body}`, makeEvent(body));
        // Two of one millisecond have no order.
        const addedAtMs = Date.now();
        await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(addedAtMs);
      }
      let running = 0;
      await workUntil(
        'event',
        async (job) => {
          running += 1;
          await new Promise<void>((resolve) => (open[Number(job.data.body)] = resolve));
          return { kind: 'done' };
        },
        async () => {
          // The last one ends first, and so on.
          if (running < 4) return false;
          const { completed } = await queue.counts('event');
          open[4 - completed]?.();
          return completed === 4;
        },
      );
      expect((await listEvents()).map(({ id }) => id)).toEqual(['job-4', 'job-3', 'job-2', 'job-1']);
    });

    it('finds an event and an effect by id', async () => {
      const key = 'a:b/c\u0000';
      await queue.addEvent(key, makeEvent('x'));
      await queue.addEffects([{ job: makeEffect(key), delayMs: 600_000 }]);
      expect(await admin.findEvent(key)).toMatchObject({ data: makeEvent('x'), state: 'waiting' });
      const effect = await admin.findEffect('notion', key);
      expect(effect).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        data: makeEffect(key),
        state: 'delayed',
        addedAtMs: expect.any(Number),
        dueAtMs: (effect?.addedAtMs ?? 0) + 600_000,
        startedTimes: 0,
      });
      expect(await admin.findEvent('other')).toBeUndefined();
      expect(await admin.findEffect('slack', key)).toBeUndefined();
    });

    it('reads many events together, in each state, and finds them by the start of their ids', async () => {
      await queue.addEvent('abcdef-done', makeEvent('done'));
      await queue.addEvent('abcdef-failed', makeEvent('failed'));
      await queue.addEvent('abcdef-delayed', makeEvent('delayed'));
      await queue.addEvent('xyz-active', makeEvent('active'));
      const outcomes: { [body: string]: JobOutcome<'event'> } = {
        done: { kind: 'done' },
        failed: { kind: 'failed', cause: 'no such meeting' },
        delayed: { kind: 'wait', forMs: 600_000, cause: 'not_ready' },
      };
      const ids = ['xyz-active', 'abcdef-failed', 'none', 'abcdef-delayed', 'abcdef-done', 'xyz-active'];
      let whileActive: readonly (StoredJob<'event'> | undefined)[] = [];
      await workUntil(
        'event',
        async (job) => {
          const outcome = outcomes[job.data.body];
          if (outcome !== undefined) return outcome;
          await expect.poll(async () => (await queue.counts('event')).active).toBe(1);
          whileActive = await Promise.all(ids.map((id) => admin.findEvent(id)));
          return { kind: 'done' };
        },
        () => whileActive.length > 0,
      );
      expect(whileActive.map((job) => job && `${job.id} ${job.state} ${job.cause ?? ''}`)).toEqual([
        'xyz-active active ',
        'abcdef-failed failed no such meeting',
        undefined,
        'abcdef-delayed delayed ',
        'abcdef-done completed ',
        'xyz-active active ',
      ]);
      expect(whileActive[3]?.dueAtMs).toBeGreaterThan((whileActive[3]?.addedAtMs ?? 0) + 599_999);
      const find = async (prefix: string, limit: number) =>
        (await admin.findEventsByPrefix(prefix, limit)).map(({ id }) => id).toSorted();
      expect(await find('abcdef-d', 5)).toEqual(['abcdef-delayed', 'abcdef-done']);
      expect(await find('abcdef', 1)).toHaveLength(1);
      expect(await find('zzz', 5)).toEqual([]);
      const listed: string[] = [];
      for await (const page of admin.listEventIds()) listed.push(...page);
      expect(listed.toSorted()).toEqual(['abcdef-delayed', 'abcdef-done', 'abcdef-failed', 'xyz-active']);
    });

    it('shows why a job failed, and jobs with unreadable data', async () => {
      const queues = await openQueues(backend, 'work');
      const data = Object.assign(makeEffect('e1'), { part: 'first' });
      await openProducer(queues, { name: 'effect', destination: 'notion' }).add({ id: 'e1', data });
      await queues.close();
      const finish = (): Promise<JobOutcome<'effect'>> => Promise.resolve({ kind: 'done' });
      await workUntil('effect', finish, async () => (await queue.countEffects('notion')).failed === 1);
      expect(await admin.findEffect('notion', 'e1')).toEqual({
        id: 'e1',
        state: 'failed',
        addedAtMs: expect.any(Number),
        finishedAtMs: expect.any(Number),
        startedTimes: 1,
        cause: 'the data of this job cannot be read',
      });
    });

    it('lists unfinished effects by state, the next one first, with what their last start noted', async () => {
      const lastWait = { why: 'report_not_ready', cause: 'the report is not ready', start: 1 };
      await queue.addEffects([{ job: makeEffect('noted') }]);
      await workUntil(
        'effect',
        (job) =>
          Promise.resolve({ kind: 'wait', forMs: 900_000, cause: 'x', data: { ...job.data, lastWait } }),
        async () => (await queue.countEffects('notion')).delayed === 1,
      );
      await queue.addEffects([{ job: makeEffect('later'), delayMs: 800_000 }]);
      await queue.addEffects([{ job: makeEffect('soon'), delayMs: 700_000 }]);
      await queue.addEffects([{ job: makeEffect('first') }]);
      await queue.addEffects([{ job: makeEffect('third'), place: 2 }]);
      await queue.addEffects([{ job: makeEffect('second'), place: 1 }]);
      expect(await queue.countEffects('notion')).toMatchObject({ waiting: 3, delayed: 3 });
      const found: (readonly unknown[])[] = [];
      for (const state of ['delayed', 'waiting', 'active'] as const) {
        for await (const job of admin.listEffects('notion', state)) {
          const { id, startedTimes, data, dueAtMs } = job;
          expect({ ...job, data: data?.event.title }).toMatchObject({ state, data: 'NUL \u0000' });
          expect(await admin.findEffect('notion', id)).toEqual(job);
          found.push([id, startedTimes, data?.lastWait?.cause, dueAtMs !== undefined]);
        }
      }
      expect(found).toEqual([
        ['soon', 0, undefined, true],
        ['later', 0, undefined, true],
        ['noted', 1, 'the report is not ready', true],
        ['first', 0, undefined, false],
        ['second', 0, undefined, false],
        ['third', 0, undefined, false],
      ]);
      expect(await admin.repeatEffect('notion', 'noted')).toBe(true);
    });

    it('lists each effect of a long queue once, in pages', async () => {
      const keys = Array.from({ length: 2500 }, (_, index) => `job-${String(index).padStart(4, '0')}`);
      // Many are due in one millisecond.
      await queue.addEffects(keys.map((key) => ({ job: makeEffect(key), delayMs: 600_000 })));
      await queue.addEffects(keys.map((key) => ({ job: makeEffect(`w-${key}`) })));
      const delayed: string[] = [];
      for await (const { id } of admin.listEffects('notion', 'delayed')) delayed.push(id);
      expect(delayed.toSorted()).toEqual(keys);
      const waiting: string[] = [];
      for await (const { id } of admin.listEffects('notion', 'waiting')) waiting.push(id);
      expect(waiting.toSorted()).toEqual(keys.map((key) => `w-${key}`));
    });

    it('finds effects in any state by the start of their ids', async () => {
      await queue.addEffects([{ job: makeEffect('abc-done') }, { job: makeEffect('abc-failed') }]);
      await workUntil(
        'effect',
        (job) =>
          Promise.resolve(job.id === 'abc-done' ? { kind: 'done' } : { kind: 'failed', cause: 'not_found' }),
        async () => {
          const { failed, completed } = await queue.countEffects('notion');
          return failed + completed === 2;
        },
      );
      await queue.addEffects([
        { job: makeEffect('abc-waiting') },
        { job: makeEffect('abc-delayed'), delayMs: 600_000 },
        { job: { ...makeEffect('abc-slack'), destination: 'slack' } },
        { job: makeEffect('xbc-other') },
      ]);
      const find = async (prefix: string, limit = 10) =>
        (await admin.findEffectsByPrefix(prefix, limit)).map(({ id, state }) => `${id} ${state}`).toSorted();
      expect(await find('abc-')).toEqual([
        'abc-delayed delayed',
        'abc-done completed',
        'abc-failed failed',
        'abc-slack waiting',
        'abc-waiting waiting',
      ]);
      expect(await find('abc-', 2)).toHaveLength(2);
      expect(await find('a_c')).toEqual([]);
      expect(await find('a*')).toEqual([]);
    });

    it('puts a finished effect back into the queue as new', async () => {
      const taken: TakenJob<'effect'>[] = [];
      await queue.addEffects([
        {
          job: {
            ...makeEffect('e1'),
            slotMs: 5,
            restedStarts: 3,
            lastWait: { why: 'slot', cause: 'others go first', start: 3 },
          },
        },
        { job: makeEffect('e2') },
      ]);
      await workUntil(
        'effect',
        (job) => {
          taken.push(job);
          // Attempts are burnt, and starts that were none.
          if (job.startedTimes < 3) return Promise.resolve({ kind: 'wait', forMs: 1, cause: 'lane' });
          return Promise.resolve(job.id === 'e1' ? { kind: 'failed', cause: 'not_found' } : { kind: 'done' });
        },
        async () => {
          const { failed, completed } = await queue.countEffects('notion');
          return failed + completed === 2;
        },
      );
      expect(await admin.repeatEffect('slack', 'e1')).toBe(false);
      expect(await admin.repeatEffect('notion', 'e3')).toBe(false);
      const lastDueAtMs = Math.max(...taken.map(({ dueAtMs }) => dueAtMs));
      expect(await admin.repeatEffect('notion', 'e1')).toBe(true);
      expect(await admin.repeatEffect('notion', 'e2')).toBe(true);
      expect(await admin.repeatEffect('notion', 'e1')).toBe(false);
      expect(await queue.countEffects('notion')).toMatchObject({ waiting: 2, failed: 0, completed: 0 });

      taken.length = 0;
      await workUntil(
        'effect',
        (job) => {
          taken.push(job);
          return Promise.resolve({ kind: 'done' });
        },
        async () => (await queue.countEffects('notion')).completed === 2,
      );
      expect(taken.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual(
        ['e1', 'e2'].map((id) => ({
          id,
          data: makeEffect(id),
          attempt: 1,
          startedTimes: 1,
          maxAttempts: 12,
          dueAtMs: expect.any(Number),
        })),
      );
      for (const { dueAtMs } of taken) expect(dueAtMs).toBeGreaterThan(lastDueAtMs);
      expect(await admin.findEffect('notion', 'e1')).not.toHaveProperty('cause');
    });

    it('does not restore a removed job', async () => {
      await queue.addEffects([{ job: makeEffect('e1') }]);
      await emptyNamespace(backend);
      expect(await admin.repeatEffect('notion', 'e1')).toBe(false);
      await queue.addEffects([{ job: makeEffect('e1') }]);
      expect(await queue.countEffects('notion')).toMatchObject({ waiting: 1 });
    });
  },
  ['redis', 'postgres'],
);
