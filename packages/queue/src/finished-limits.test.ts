import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { keepWorkerRunning } from './bullmq/worker-loop.ts';
import { createJobQueue, openBackend, silentLog } from './index.ts';
import { createJobProcessor } from './job-worker.ts';
import { trimFinished } from './postgres/postgres-jobs.ts';

const log = silentLog;

describeEachStore(
  'jobs that have ended',
  (kind) => {
    it('are stored up to a number and an age, with limits of their own for failed jobs', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log });
      const queue = await createJobQueue(backend);
      let serial = 0;
      const run = async (limits: Parameters<typeof keepWorkerRunning>[3]['limits'], count: number) => {
        const added = Array.from({ length: count }, () => `${(serial += 1)}`);
        await Promise.all(
          added.map((id) =>
            queue.addEvent(`job-${id}`, {
              endpoint: 'e',
              receivedAt: 'r',
              body: Number(id) % 2 === 0 ? 'fails' : '',
            }),
          ),
        );
        const { process, reportFailure } = createJobProcessor(
          'event',
          ({ data }) =>
            Promise.resolve(data.body === 'fails' ? { kind: 'failed', cause: 'x' } : { kind: 'done' }),
          { log, clock: backend.clock },
        );
        const worker = keepWorkerRunning(
          backend,
          { name: 'event' },
          { process, reportFailure },
          { concurrency: 1, ...(limits === undefined ? {} : { limits }) },
        );
        await expect
          .poll(
            async () => {
              const { waiting, active } = await queue.counts('event');
              return waiting + active;
            },
            { timeout: 10_000, interval: 10 },
          )
          .toBe(0);
        await worker.close();
      };
      const limits = {
        completed: { ageSeconds: 3600, count: 3 },
        failed: { ageSeconds: 3600, count: 4 },
      };
      await run(limits, 20);
      if (backend.kind === 'postgres') await trimFinished(backend, 'events', limits);
      expect(await queue.counts('event')).toMatchObject({ completed: 3, failed: 4 });

      const endedAtMs = Date.now();
      // PostgreSQL counts in whole seconds.
      await expect.poll(() => Date.now(), { interval: 50, timeout: 3000 }).toBeGreaterThan(endedAtMs + 1000);
      await run({ completed: { ageSeconds: 1, count: 50 }, failed: { ageSeconds: 3600, count: 50 } }, 2);
      expect(await queue.counts('event')).toMatchObject({ completed: 1, failed: 5 });
      await run({ completed: { ageSeconds: 3600, count: 50 }, failed: { ageSeconds: 0, count: 50 } }, 2);
      expect((await queue.counts('event')).completed).toBe(2);
      expect((await queue.counts('event')).failed).toBeLessThan(2);

      await queue.close();
      await backend.close();
      await store.dispose();
    });
  },
  ['redis', 'postgres'],
);
