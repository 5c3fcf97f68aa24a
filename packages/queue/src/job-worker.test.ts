import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { nameQueue, openQueues } from './bullmq/queues.ts';
import {
  type Backend,
  createJobQueue,
  emptyNamespace,
  type JobOutcome,
  type JobQueue,
  type JobWorker,
  type Log,
  openBackend,
  silentLog,
  startJobWorker,
  type TakenJob,
} from './index.ts';
import { makeEffect } from './testing/make-effect.ts';

const log = silentLog;

const queueName = nameQueue({ name: 'effect', destination: 'slack' });

type Taken = TakenJob<'effect'>;

describeEachStore(
  'a worker',
  (kind) => {
    let store: TestStore;
    let backend: Backend;
    let queue: JobQueue;
    let workers: JobWorker[];
    let taken: Taken[];
    /** Ends of the jobs that are held, by their ids. */
    let held: Map<string, () => void>;

    beforeAll(async () => {
      store = await openTestStore(kind);
      backend = await openBackend(store.queueUrl, { log });
      queue = await createJobQueue(backend);
    });
    beforeEach(async () => {
      workers = [];
      taken = [];
      held = new Map();
      await emptyNamespace(backend);
    });
    afterEach(async () => {
      for (const end of held.values()) end();
      await Promise.all(workers.map((worker) => worker.close()));
    });
    afterAll(async () => {
      await queue.close();
      await backend.close();
      await store.dispose();
    });

    function work(
      handle: (job: Taken) => Promise<JobOutcome<'effect'>>,
      { concurrency = 10, to = log }: { readonly concurrency?: number; readonly to?: Log } = {},
    ): JobWorker {
      const worker = startJobWorker(
        backend,
        'effect',
        async (job) => {
          taken.push(job);
          return await handle(job);
        },
        { destination: 'slack', concurrency, log: to },
      );
      workers.push(worker);
      return worker;
    }

    /** Keeps each job under way until the test ends it. */
    const hold = (job: Taken): Promise<JobOutcome<'effect'>> =>
      new Promise((resolve) => {
        held.set(job.id, () => {
          held.delete(job.id);
          resolve({ kind: 'done' });
        });
      });
    const finish = (): Promise<JobOutcome<'effect'>> => Promise.resolve({ kind: 'done' });

    const add = (...keys: readonly string[]): Promise<void> =>
      queue.addEffects(keys.map((key) => ({ job: makeEffect(key) })));
    const takenIds = (): string[] => taken.map(({ id }) => id);
    async function expectTaken(count: number): Promise<void> {
      await expect.poll(() => taken.length, { timeout: 10_000, interval: 5 }).toBe(count);
    }
    async function expectCompleted(count: number): Promise<void> {
      await expect
        .poll(async () => (await queue.countEffects('slack')).completed, { timeout: 10_000, interval: 20 })
        .toBe(count);
    }

    /** Something else has happened in the store meanwhile: what a worker wanted to take, it has. */
    async function letPass(): Promise<void> {
      const other = startJobWorker(backend, 'event', () => Promise.resolve({ kind: 'done' }), {
        concurrency: 1,
        log,
      });
      for (let turn = 0; turn < 3; turn++) {
        const { completed } = await queue.counts('event');
        await queue.addEvent(`pass-${completed}`, { endpoint: 'e', receivedAt: 'r', body: '{}' });
        await expect
          .poll(async () => (await queue.counts('event')).completed, { interval: 10, timeout: 10_000 })
          .toBe(completed + 1);
      }
      await other.close();
    }

    it('with concurrency 0 finishes running jobs, starts none, and continues when it is raised', async () => {
      const worker = work(hold, { concurrency: 2 });
      await add('e1');
      await expectTaken(1);
      worker.setConcurrency(0);
      await add('e2', 'e3', 'e4');
      await letPass();
      expect(takenIds()).toEqual(['e1']);
      held.get('e1')?.();
      await expectCompleted(1);
      await letPass();
      expect(takenIds()).toEqual(['e1']);

      worker.setConcurrency(1);
      await expectTaken(2);
      await letPass();
      expect(taken).toHaveLength(2);
      worker.setConcurrency(3);
      await expectTaken(4);
    });

    it('takes the first of each line before the second of any, however long one of them is', async () => {
      const line = Array.from({ length: 50 }, (_, index) => ({
        job: makeEffect(`long-${index + 1}`),
        place: index + 1,
      }));
      await queue.addEffects(line);
      await queue.addEffects([{ job: makeEffect('short-1'), place: 1 }]);
      const addLater = async (job: Taken): Promise<JobOutcome<'effect'>> => {
        if (job.id === 'long-10') {
          // Forty of its line are before the first of these, and none of its own before the second.
          await queue.addEffects([{ job: makeEffect('long-51'), place: 41 }]);
          await queue.addEffects([{ job: makeEffect('new-1'), place: 1 }]);
        }
        // It comes back to its old place.
        return job.id === 'long-20' && job.startedTimes === 1
          ? { kind: 'wait', forMs: 0, cause: 'its slot comes later' }
          : await finish();
      };
      work(addLater, { concurrency: 1 });
      await expectCompleted(53);
      const names = (from: number, to: number): string[] =>
        Array.from({ length: to - from + 1 }, (_, index) => `long-${from + index}`);
      const end = [...names(2, 11), 'new-1', ...names(12, 20), ...names(20, 51)];
      expect(takenIds()).toEqual(['long-1', 'short-1', ...end]);
    });

    it('goes on with the lines where it was before a pause', async () => {
      const line = Array.from({ length: 20 }, (_, index) => ({
        job: makeEffect(`line-${index + 1}`),
        place: index + 1,
      }));
      await queue.addEffects(line);
      const worker = work(
        async ({ id }) => {
          if (id === 'line-10') worker.setConcurrency(0);
          return await finish();
        },
        { concurrency: 1 },
      );
      await expectCompleted(10);
      await letPass();
      await queue.addEffects([{ job: makeEffect('new'), place: 1 }]);
      worker.setConcurrency(1);
      await expectCompleted(21);
      expect(takenIds().slice(9, 13)).toEqual(['line-10', 'line-11', 'new', 'line-12']);
    });

    it('begins anew with the lines when no job waits, not even for its time', async () => {
      await queue.addEffects([{ job: makeEffect('e1'), place: 700 }]);
      await queue.addEffects([{ job: makeEffect('e4'), place: 701, delayMs: 3_600_000 }]);
      work(finish);
      await expectCompleted(1);
      await letPass();
      await queue.addEffects([{ job: makeEffect('e5'), place: 1, delayMs: 3_600_000 }]);
      const open = await openQueues(backend, 'work');
      const delayed = await open.open(queueName).getJobs('delayed');
      expect(delayed.map(({ id, priority }) => `${id} ${priority}`).toSorted()).toEqual(['e4 701', 'e5 701']);
      await Promise.all(delayed.map(async (job) => await job.remove()));
      await add('e0');
      await expectCompleted(2);
      await letPass();
      await Promise.all(workers.map((worker) => worker.close()));
      await queue.addEffects([{ job: makeEffect('e2'), place: 300 }]);
      await queue.addEffects([{ job: makeEffect('e3'), place: 2 }]);
      const jobs = await open.open(queueName).getJobs('prioritized');
      expect(jobs.map(({ id, priority }) => `${id} ${priority}`).toSorted()).toEqual(['e2 300', 'e3 2']);
      await open.close();
    });

    it('that waits for a job leaves it to another worker when its concurrency is set to 0', async () => {
      const worker = work(finish);
      await add('e1');
      await expectCompleted(1);
      await letPass();
      const byOther: string[] = [];
      work((job) => {
        byOther.push(job.id);
        return finish();
      });
      await letPass();
      // Both wait, and the first of them would be given the job.
      worker.setConcurrency(0);
      const beganMs = performance.now();
      await add('e2');
      await expectTaken(2);
      expect(byOther).toEqual(['e2']);
      expect(performance.now() - beganMs).toBeLessThan(2500);

      await workers[1]?.close();
      await add('e3');
      await letPass();
      expect(taken).toHaveLength(2);
      worker.setConcurrency(1);
      await expectTaken(3);
      expect(performance.now() - beganMs).toBeLessThan(4000);
    });

    it('can start with concurrency 0', async () => {
      const worker = work(finish);
      worker.setConcurrency(0);
      await add('e1');
      await letPass();
      expect(taken).toEqual([]);
      worker.setConcurrency(2);
      await expectCompleted(1);
    });

    it('starts more jobs at once when its concurrency is raised', async () => {
      const worker = work(hold, { concurrency: 1 });
      await add('e1', 'e2', 'e3');
      await expectTaken(1);
      worker.setConcurrency(3);
      await expectTaken(3);
    });

    it('continues through rapid changes of its concurrency', async () => {
      const worker = work(
        (job) => {
          worker.setConcurrency(0);
          worker.setConcurrency(1);
          if (job.id === 'e5') setImmediate(() => worker.setConcurrency(0));
          if (job.id === 'e5') setTimeout(() => worker.setConcurrency(2), 20);
          queueMicrotask(() => worker.setConcurrency(0));
          setImmediate(() => worker.setConcurrency(1));
          return finish();
        },
        { concurrency: 3 },
      );
      await add(...Array.from({ length: 20 }, (_, index) => `e${index}`));
      await expectCompleted(20);
      expect(new Set(takenIds()).size).toBe(20);
      expect(taken).toHaveLength(20);
    });

    it.each([0, 1])('with concurrency %i closes when its jobs have ended', async (concurrency) => {
      const worker = work(hold);
      await add('e1');
      await expectTaken(1);
      worker.setConcurrency(concurrency);
      const closed = worker.close();
      worker.setConcurrency(5);
      await add('e2');
      held.get('e1')?.();
      await closed;
      expect(await queue.countEffects('slack')).toMatchObject({ waiting: 1, active: 0, completed: 1 });
      expect(takenIds()).toEqual(['e1']);
    });

    it('delays jobs for milliseconds repeatedly, and loses none', async () => {
      const waits = [0, 0.3, 1, 2, 3.7, 7, -5, 1];
      work(({ startedTimes }) => {
        const forMs = waits[startedTimes - 1];
        return forMs === undefined
          ? finish()
          : Promise.resolve({ kind: 'wait', forMs, cause: 'rate_limited' });
      });
      await add(...Array.from({ length: 20 }, (_, index) => `e${index}`));
      await expectCompleted(20);
      expect(taken).toHaveLength(20 * (waits.length + 1));
      expect(Math.max(...taken.map(({ attempt }) => attempt))).toBe(1);
    });

    it('replaces the data of a delayed job, and reports when it was due', async () => {
      const beganMs = Date.now();
      const title = 'a\u0000b\ud83d';
      await queue.addEffects([{ job: makeEffect('e1') }, { job: makeEffect('e2'), delayMs: 60.5 }]);
      work((job) => {
        if (job.id === 'e2' || job.startedTimes > 2) return finish();
        const event = { ...job.data.event, title };
        const data = { ...job.data, event, slotMs: 7, restedStarts: job.startedTimes };
        return Promise.resolve({
          kind: 'wait',
          forMs: 40,
          cause: 'rate_limited',
          ...(job.startedTimes === 1 ? { data } : {}),
        });
      });
      await expectCompleted(2);
      const [first, second, third] = taken.filter(({ id }) => id === 'e1');
      expect(first?.data).toEqual(makeEffect('e1'));
      const changed = { ...makeEffect('e1'), slotMs: 7, restedStarts: 1 };
      expect(second?.data).toEqual({ ...changed, event: { ...changed.event, title } });
      expect(third?.data).toEqual(second?.data);
      const due = [first, second, third].map((job) => (job?.dueAtMs ?? 0) - beganMs);
      expect(due[0]).toBeLessThan(40);
      expect(due[1]).toBeGreaterThanOrEqual(40);
      expect(due[2]).toBeGreaterThanOrEqual((due[1] ?? 0) + 40);
      expect((third?.dueAtMs ?? 0) - Date.now()).toBeLessThanOrEqual(0);
      const delayed = taken.find(({ id }) => id === 'e2');
      expect((delayed?.dueAtMs ?? 0) - beganMs).toBeGreaterThanOrEqual(61);
      expect((delayed?.dueAtMs ?? 0) - Date.now()).toBeLessThanOrEqual(0);
    });

    it('leaves a job unchanged after it has lost the lock', async () => {
      const warnings: string[] = [];
      const worker: JobWorker = work(
        async (job) => {
          if (job.startedTimes > 1) return await hold(job);
          worker.setConcurrency(0);
          await giveAway('e1');
          work(hold);
          await expectTaken(2);
          return { kind: 'wait', forMs: 0, cause: 'late', data: { ...job.data, restedStarts: 99 } };
        },
        { concurrency: 1, to: { ...log, warn: (_fields, text) => warnings.push(text) } },
      );
      await add('e1');
      await expect.poll(() => warnings, { timeout: 10_000 }).toEqual(['this job could not be delayed']);
      expect(await queue.countEffects('slack')).toMatchObject({ active: 1, delayed: 0, waiting: 0 });
      held.get('e1')?.();
      await expectCompleted(1);
      expect(taken.map(({ attempt, startedTimes, data }) => [attempt, startedTimes, data])).toEqual([
        [1, 1, makeEffect('e1')],
        [1, 2, makeEffect('e1')],
      ]);
    });

    /** What is done with a job whose worker was not heard of for too long. */
    async function giveAway(id: string): Promise<void> {
      if (backend.kind === 'redis') {
        const client = backend.connect('work');
        const keys = `{${backend.namespace}}:${queueName}`;
        await client.del(`${keys}:${id}:lock`);
        await client.lrem(`${keys}:active`, 1, id);
        await client.rpush(`${keys}:wait`, id);
        await client.zadd(`${keys}:marker`, 0, '0');
        client.disconnect();
        return;
      }
      const client = new pg.Client(backend.poolConfig('work'));
      await client.connect();
      await client.query(
        `update "${backend.namespace}_queue".job set state = 'waiting', lock_token = null where id = $1`,
        [id],
      );
      await client.end();
    }
  },
  ['redis', 'postgres'],
);
