import { once } from 'node:events';

import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import {
  type Backend,
  emptyNamespace,
  type JobOutcome,
  type JobSchedules,
  type JobWorker,
  openBackend,
  openJobSchedules,
  silentLog,
  startJobWorker,
  type TakenJob,
} from './index.ts';

const log = silentLog;
const weekMs = 7 * 24 * 3600 * 1000;
const yearly = { cron: '0 5 1 1 *' };

describeEachStore(
  'a schedule',
  (kind) => {
    let store: TestStore;
    let backend: Backend;
    let schedules: JobSchedules;
    let workers: JobWorker[];

    beforeAll(async () => {
      store = await openTestStore(kind);
      backend = await openBackend(store.queueUrl, { log });
      schedules = await openJobSchedules(backend);
    });
    beforeEach(async () => {
      workers = [];
      await emptyNamespace(backend);
    });
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.close()));
    });
    afterAll(async () => {
      await schedules.close();
      await backend.close();
      await store.dispose();
    });

    function work(
      handle: (job: TakenJob<'schedule'>) => JobOutcome<'schedule'> = () => ({ kind: 'done' }),
    ): TakenJob<'schedule'>[] {
      const taken: TakenJob<'schedule'>[] = [];
      workers.push(
        startJobWorker(
          backend,
          'schedule',
          (job) => {
            taken.push(job);
            return Promise.resolve(handle(job));
          },
          { concurrency: 1, log },
        ),
      );
      return taken;
    }

    /** As if the moment had come while no worker ran: the job of the next moment is due since `dueMs`. */
    async function letMomentPass(id: string, dueMs: number): Promise<void> {
      const { nextAtMs } = (await schedules.list()).find((schedule) => schedule.id === id) ?? {};
      const [before, after] = [`repeat:${id}:${nextAtMs}`, `repeat:${id}:${dueMs}`];
      if (backend.kind === 'redis') {
        const keys = `{${backend.namespace}}:schedules`;
        const client = backend.connect('work');
        await once(client, 'ready');
        await client.rename(`${keys}:${before}`, `${keys}:${after}`);
        const options: object = JSON.parse((await client.hget(`${keys}:${after}`, 'opts')) ?? '{}');
        await client.hset(`${keys}:${after}`, 'opts', JSON.stringify({ ...options, prevMillis: dueMs }));
        await client.zrem(`${keys}:delayed`, before);
        await client.zadd(`${keys}:delayed`, dueMs * 0x1000, after);
        await client.zadd(`${keys}:repeat`, dueMs, id);
        client.disconnect();
        return;
      }
      const client = new pg.Client(backend.poolConfig('work'));
      await client.connect();
      const schema = `"${backend.namespace}_queue"`;
      await client.query(
        `update ${schema}.job set id = $2, process_at_ms = $3, opts = opts || jsonb_build_object('prevMillis', $3::bigint)
        where id = $1`,
        [before, after, dueMs],
      );
      await client.query(`update ${schema}.scheduler set next_run_ms = $2 where scheduler_id = $1`, [
        id,
        dueMs,
      ]);
      await client.end();
    }

    it('makes one job at each of its times, and reports the time', async () => {
      await schedules.set('reconcile', { everyMs: 60 }, { task: 'reconcile' });
      const taken = work();
      await expect.poll(() => taken.length, { timeout: 10_000, interval: 10 }).toBeGreaterThan(3);
      const moments = taken.map(({ dueAtMs }) => dueAtMs);
      expect(new Set(moments).size).toBe(moments.length);
      for (const [index, momentMs] of moments.entries()) {
        // A worker that was late leaves moments out.
        if (index > 0) expect((momentMs - (moments[index - 1] ?? 0)) % 60).toBe(0);
        expect(momentMs).toBeLessThanOrEqual(Date.now());
      }
      expect(taken[0]).toMatchObject({ data: { task: 'reconcile' }, attempt: 1, maxAttempts: 3 });
    });

    it('reports the scheduled time also when the job is late, was delayed or failed once', async () => {
      const dueMs = Date.now() - weekMs;
      await schedules.set('recipe:digest', yearly, { task: 'recipe', recipe: 'weekly\u0000digest' });
      await letMomentPass('recipe:digest', dueMs);
      const taken = work(({ startedTimes }) => {
        if (startedTimes === 1) return { kind: 'wait', forMs: 5, cause: 'paused' };
        if (startedTimes === 2) throw new Error('not now');
        return { kind: 'done' };
      });
      await expect.poll(() => taken.length, { timeout: 10_000, interval: 10 }).toBe(3);
      expect(taken.map(({ dueAtMs, data }) => [dueAtMs, data])).toEqual(
        Array.from({ length: 3 }, () => [dueMs, { task: 'recipe', recipe: 'weekly\u0000digest' }]),
      );
      const [schedule] = await schedules.list();
      expect(schedule?.nextAtMs).toBe(nextNewYear());
    });

    it('stays unchanged when the same schedule is set again, also after its time', async () => {
      const ask = (): Promise<void> =>
        schedules.set('recipe:digest', yearly, { task: 'recipe', recipe: 'digest' });
      await ask();
      expect(await schedules.list()).toEqual([{ id: 'recipe:digest', nextAtMs: nextNewYear() }]);
      const dueMs = Date.now() - 1000;
      await letMomentPass('recipe:digest', dueMs);
      await Promise.all([ask(), ask()]);
      expect(await schedules.list()).toEqual([{ id: 'recipe:digest', nextAtMs: dueMs }]);
      const taken = work();
      await expect.poll(() => taken.map(({ dueAtMs }) => dueAtMs), { timeout: 10_000 }).toEqual([dueMs]);

      await schedules.set('reconcile', { everyMs: weekMs }, { task: 'reconcile' });
      await expect.poll(() => taken.length, { timeout: 10_000 }).toBe(2);
      const before = await schedules.list();
      await schedules.set('reconcile', { everyMs: weekMs }, { task: 'reconcile' });
      expect(await schedules.list()).toEqual(before);
      expect(before.map(({ id }) => id)).toEqual(['reconcile', 'recipe:digest'].toSorted(byNext(before)));
    });

    it('changes when another schedule is set', async () => {
      await schedules.set('a', yearly, { task: 'recipe', recipe: 'one' });
      await schedules.set(
        'a',
        { cron: '0 5 1 1 *', timeZone: 'Asia/Tokyo' },
        { task: 'recipe', recipe: 'one' },
      );
      const [schedule] = await schedules.list();
      expect(new Date(schedule?.nextAtMs ?? 0).toISOString()).toMatch(/-12-31T20:00:00\.000Z$/);
      await schedules.set('a', { everyMs: weekMs }, { task: 'recipe', recipe: 'two' });
      const taken = work();
      await expect
        .poll(() => taken.map(({ data }) => data), { timeout: 10_000 })
        .toEqual([{ task: 'recipe', recipe: 'two' }]);
      await schedules.set('a', yearly, { task: 'recipe', recipe: 'two' });
      expect(await schedules.list()).toEqual([{ id: 'a', nextAtMs: nextNewYear() }]);
    });

    it('is restored when the job of its next time is gone', async () => {
      await schedules.set('a', yearly, { task: 'reconcile' });
      await removeJobs();
      await schedules.set('a', yearly, { task: 'reconcile' });
      await letMomentPass('a', Date.now() - 1000);
      const taken = work();
      await expect.poll(() => taken.length, { timeout: 10_000 }).toBe(1);
    });

    it('is removed by keepOnly', async () => {
      for (const id of ['a', 'b', 'c']) await schedules.set(id, yearly, { task: 'reconcile' });
      await schedules.keepOnly(['b', 'other']);
      expect((await schedules.list()).map(({ id }) => id)).toEqual(['b']);
      await schedules.keepOnly([]);
      expect(await schedules.list()).toEqual([]);
    });

    async function removeJobs(): Promise<void> {
      if (backend.kind === 'redis') {
        const client = backend.connect('work');
        await once(client, 'ready');
        const keys = `{${backend.namespace}}:schedules`;
        const [id = ''] = await client.zrange(`${keys}:delayed`, '0', '-1');
        await client.del(`${keys}:${id}`, `${keys}:delayed`);
        client.disconnect();
        return;
      }
      const client = new pg.Client(backend.poolConfig('work'));
      await client.connect();
      await client.query(`delete from "${backend.namespace}_queue".job`);
      await client.end();
    }
  },
  ['redis', 'postgres'],
);

function nextNewYear(): number {
  const now = new Date();
  const thisYearMs = Date.UTC(now.getUTCFullYear(), 0, 1, 5);
  return thisYearMs > now.getTime() ? thisYearMs : Date.UTC(now.getUTCFullYear() + 1, 0, 1, 5);
}

function byNext(found: readonly { readonly id: string; readonly nextAtMs?: number }[]) {
  const nextOf = (id: string): number => found.find((schedule) => schedule.id === id)?.nextAtMs ?? 0;
  return (one: string, other: string): number => nextOf(one) - nextOf(other);
}
