import { setTimeout as pause } from 'node:timers/promises';

import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { expect, it } from 'vitest';

import type { PostgresBackend } from '../backend.ts';
import { bullSchema } from '../bullmq/queues.ts';
import { createJobQueue } from '../job-queue.ts';
import { startJobWorker } from '../job-worker.ts';
import { silentLog as log } from '../log.ts';
import { openBackend } from '../open-backend.ts';
import { makeEffect } from '../testing/make-effect.ts';

const destination = 'slack';
const PLACES = 16;

/** A backend, and the statements that are sent through it. */
async function openCounting(queueUrl: string) {
  const opened = await openBackend(queueUrl, { log });
  if (opened.kind !== 'postgres') throw new Error('this is another store');
  const statements: string[] = [];
  class CountingClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      this.on('error', () => undefined);
      const query = this.query.bind(this);
      this.query = (asked: unknown, ...others: unknown[]) => {
        statements.push(String(asked));
        return Reflect.apply(query, this, [asked, ...others]);
      };
    }
  }
  const backend: PostgresBackend = {
    ...opened,
    poolConfig: (use) => ({ ...opened.poolConfig(use), Client: CountingClient }),
  };
  return { backend, statements };
}

describeEachStore(
  'jobs that end together on PostgreSQL',
  (kind) => {
    it('are finished, and the next ones taken, with at most 0.3 statements each', async () => {
      const jobs = 320;
      const store = await openTestStore(kind);
      const { backend, statements } = await openCounting(store.queueUrl);
      const queue = await createJobQueue(backend);
      await queue.addEffects(Array.from({ length: jobs }, (_, at) => ({ job: makeEffect(`job-${at}`) })));
      const done: string[] = [];
      const worker = startJobWorker(
        backend,
        'effect',
        async ({ id }) => {
          await pause(5 + (done.length % 7));
          done.push(id);
          return { kind: 'done' };
        },
        { destination, concurrency: PLACES, log },
      );
      await expect
        .poll(async () => (await queue.countEffects(destination)).completed, { timeout: 20_000 })
        .toBe(jobs);
      await worker.close();
      expect([done.length, new Set(done).size]).toEqual([jobs, jobs]);
      const taking = statements.filter((text) => /move_to_(?:completed|active)/.test(text));
      expect(taking.length).toBeGreaterThan(jobs / PLACES);
      expect(taking.length / jobs).toBeLessThan(0.3);
      await queue.close();
      await backend.close();
      await store.dispose();
    });

    it('are finished without the one whose lock is lost, which runs again', async () => {
      const store = await openTestStore(kind);
      const { backend } = await openCounting(store.queueUrl);
      const queue = await createJobQueue(backend);
      const client = new pg.Client(store.queueUrl);
      await client.connect();
      const steal = `update "${bullSchema(backend.namespace)}".job set lock_token = 'of another' where id = 'job-3'`;
      await queue.addEffects(Array.from({ length: PLACES }, (_, at) => ({ job: makeEffect(`job-${at}`) })));
      const starts: string[] = [];
      let tellAllStarted = (_stolen: Promise<unknown>): void => undefined;
      const allStarted = new Promise<unknown>((resolve) => {
        tellAllStarted = resolve;
      });
      const worker = startJobWorker(
        backend,
        'effect',
        async ({ id }) => {
          starts.push(id);
          if (starts.length === PLACES) tellAllStarted(client.query(steal));
          await allStarted;
          return { kind: 'done' };
        },
        { destination, concurrency: PLACES, log },
      );
      const readCounts = async () => {
        const { active, completed, failed } = await queue.countEffects(destination);
        return { active, completed, failed };
      };
      await expect
        .poll(readCounts, { timeout: 10_000 })
        .toEqual({ active: 1, completed: PLACES - 1, failed: 0 });
      await expect.poll(readCounts, { timeout: 30_000 }).toEqual({ active: 0, completed: PLACES, failed: 0 });
      expect(starts.slice(PLACES)).toEqual(['job-3']);
      await worker.close();
      await queue.close();
      await client.end();
      await backend.close();
      await store.dispose();
    });
  },
  ['postgres'],
);
