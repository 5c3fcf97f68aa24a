import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { expect, it } from 'vitest';

import { createJobQueue } from './job-queue.ts';
import { type JobOutcome, startJobWorker, type TakenJob } from './job-worker.ts';
import { silentLog as log } from './log.ts';
import { openBackend } from './open-backend.ts';
import { makeEffect } from './testing/make-effect.ts';

// What went wrong in other engines, and must not come back with another version of BullMQ.

const destination = 'slack';

describeEachStore('two workers of one queue', (kind) => {
  it('delay each other’s jobs, and end none that was only delayed (bullmq#4814)', async () => {
    const store = await openTestStore(kind);
    const backends = await Promise.all([1, 2].map(() => openBackend(store.queueUrl, { log })));
    const [backend] = backends;
    if (backend === undefined) throw new Error('no backend');
    const queue = await createJobQueue(backend);
    const starts = new Map<string, number>();
    const handle = ({ id }: TakenJob<'effect'>): Promise<JobOutcome<'effect'>> => {
      const times = (starts.get(id) ?? 0) + 1;
      starts.set(id, times);
      return Promise.resolve(
        times < 4 ? { kind: 'wait', forMs: 5 * times, cause: 'later' } : { kind: 'done' },
      );
    };
    const workers = backends.map((each) =>
      startJobWorker(each, 'effect', handle, { destination, concurrency: 4, log }),
    );
    const keys = Array.from({ length: 60 }, (_, index) => `job-${index}`);
    await queue.addEffects(keys.map((key) => ({ job: makeEffect(key) })));
    await expect
      .poll(async () => (await queue.countEffects(destination)).completed, { timeout: 20_000 })
      .toBe(60);
    // A lock that expires on a busy machine allows a fifth start; a job that ended early has fewer than four.
    expect([...starts.values()].filter((times) => times < 4)).toEqual([]);
    await Promise.all(workers.map((worker) => worker.close()));
    await queue.close();
    await Promise.all(backends.map((each) => each.close()));
    await store.dispose();
  });
});

describeEachStore(
  'a worker on PostgreSQL',
  (kind) => {
    it('takes jobs at once after its LISTEN was lost (bullmq#4729), with a bounded number of sessions', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log });
      const queue = await createJobQueue(backend);
      const done: string[] = [];
      const handle = ({ id }: TakenJob<'effect'>): Promise<JobOutcome<'effect'>> => {
        done.push(id);
        return Promise.resolve({ kind: 'done' });
      };
      const worker = startJobWorker(backend, 'effect', handle, { destination, concurrency: 32, log });
      const client = new pg.Client(store.queueUrl);
      await client.connect();
      const countListening = async (): Promise<number> => (await client.query(listening)).rows.length;
      const many = Array.from({ length: 200 }, (_, index) => ({ job: makeEffect(`many-${index}`) }));
      await queue.addEffects(many);
      await expect.poll(() => done.length, { timeout: 20_000 }).toBe(200);
      const { rows } = await client.query<{ sessions: number }>(sessions);
      // Five of the worker, one that listens, four that add jobs.
      expect(rows[0]?.sessions).toBeLessThanOrEqual(10);
      await expect.poll(countListening, { timeout: 10_000 }).toBe(1);

      // The session that listens may break at the very moment at which it asks to be told of jobs.
      for (let round = 0; round < 3; round += 1) {
        const endListening = `select pg_terminate_backend(pid) from (${listening}) as found`;
        let ended = 0;
        while (ended < 10) ended += (await client.query(endListening)).rows.length;
        const addedAt = performance.now();
        await queue.addEffects([{ job: makeEffect(`after-${round}`) }]);
        await expect.poll(() => done.at(-1), { timeout: 20_000 }).toBe(`after-${round}`);
        expect(performance.now() - addedAt).toBeLessThan(8000);
        await expect.poll(countListening, { timeout: 10_000 }).toBe(1);
        // The session may be seen before its LISTEN; only the first job can wait for the worker's next look, after 5 s.
        const tookMs: number[] = [];
        for (const id of [`at-once-${round}-1`, `at-once-${round}-2`]) {
          const startedAt = performance.now();
          await queue.addEffects([{ job: makeEffect(id) }]);
          await expect.poll(() => done.at(-1), { timeout: 20_000, interval: 5 }).toBe(id);
          tookMs.push(performance.now() - startedAt);
        }
        expect(Math.min(...tookMs)).toBeLessThan(2000);
      }
      await client.end();
      await worker.close();
      await queue.close();
      await backend.close();
      await store.dispose();
    });

    it('lives on when a connection breaks between two queries', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log });
      if (backend.kind !== 'postgres') throw new Error('this is another store');
      const pool = new pg.Pool(backend.poolConfig('work'));
      pool.on('error', () => undefined);
      const client = await pool.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const other = new pg.Client(store.queueUrl);
      await other.connect();
      await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      // Without a listener its error ends the process before this.
      await expect
        .poll(() => client.query('select 1').then(String, String))
        .toMatch(/terminated|not queryable/);
      client.release(true);
      await other.end();
      await pool.end();
      await backend.close();
      await store.dispose();
    });
  },
  ['postgres'],
);

const ours = `datname = current_database() and pid <> pg_backend_pid()`;

const listening = `select pid from pg_stat_activity where ${ours} and application_name like '%effects-slack%'`;

const sessions = `select count(*)::integer as sessions from pg_stat_activity where ${ours}`;
