import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterEach, expect, it, vi } from 'vitest';

import { createJobQueue } from './job-queue.ts';
import { startJobWorker, type JobOutcome } from './job-worker.ts';
import { silentLog } from './log.ts';
import { openBackend } from './open-backend.ts';
import { makeEffect } from './testing/make-effect.ts';

const log = silentLog;

const hourMs = 3_600_000;

/** Sets the clock of this machine, whose monotonic clock goes on as it did. */
const setClock = (aheadMs: number): void => {
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
};

afterEach(() => void vi.restoreAllMocks());

describeEachStore('a worker on a machine whose clock is wrong', (kind) => {
  it.each([hourMs, -hourMs])('starts delayed jobs in time when it is %d ms ahead', async (aheadMs) => {
    const store = await openTestStore(kind);
    setClock(aheadMs);
    const backend = await openBackend(store.queueUrl, { log });
    const queue = await createJobQueue(backend);
    const starts: number[] = [];
    const started = performance.now();
    const handle = (): Promise<JobOutcome<'effect'>> => {
      starts.push(performance.now() - started);
      return Promise.resolve(
        starts.length === 3 ? { kind: 'done' } : { kind: 'wait', forMs: 700, cause: 'its slot comes later' },
      );
    };
    const worker = startJobWorker(backend, 'effect', handle, { destination: 'slack', concurrency: 4, log });
    await queue.addEffects([{ job: makeEffect('k1'), delayMs: 700 }]);
    // One that is due much later must not keep the worker busy.
    await queue.addEffects([{ job: makeEffect('k2'), delayMs: hourMs / 2 }]);
    await expect.poll(() => starts.length, { timeout: 10_000 }).toBe(3);
    const gaps = starts.map((atMs, nth) => atMs - (starts[nth - 1] ?? 0));
    for (const gapMs of gaps) {
      expect(gapMs).toBeGreaterThan(650);
      expect(gapMs).toBeLessThan(2500);
    }
    await worker.close();
    await queue.close();
    await backend.close();
    await store.dispose();
  });

  it.each([hourMs, -hourMs])('tries again in time after an error when it is %d ms ahead', async (aheadMs) => {
    const store = await openTestStore(kind);
    setClock(aheadMs);
    const backend = await openBackend(store.queueUrl, { log });
    const queue = await createJobQueue(backend);
    let starts = 0;
    const handle = (): Promise<JobOutcome<'effect'>> => {
      starts += 1;
      return starts === 1 ? Promise.reject(new Error('unexpected')) : Promise.resolve({ kind: 'done' });
    };
    const worker = startJobWorker(backend, 'effect', handle, { destination: 'slack', concurrency: 4, log });
    await queue.addEffects([{ job: makeEffect('k1') }]);
    // The first wait is at most a second.
    await expect.poll(() => starts, { timeout: 5000 }).toBe(2);
    await worker.close();
    await queue.close();
    await backend.close();
    await store.dispose();
  });

  it.each([hourMs, -hourMs])('goes on when its clock is set by %d ms while it runs', async (stepMs) => {
    const store = await openTestStore(kind);
    const backend = await openBackend(store.queueUrl, { log });
    const queue = await createJobQueue(backend);
    const done: string[] = [];
    const handle = ({ id }: { readonly id: string }): Promise<JobOutcome<'effect'>> => {
      done.push(id);
      return Promise.resolve({ kind: 'done' });
    };
    const worker = startJobWorker(backend, 'effect', handle, { destination: 'slack', concurrency: 4, log });
    await queue.addEffects([{ job: makeEffect('k1'), delayMs: 100 }]);
    await expect.poll(() => done, { timeout: 10_000 }).toEqual(['k1']);
    setClock(stepMs);
    await queue.addEffects([{ job: makeEffect('k2'), delayMs: 1000 }]);
    const addedAt = performance.now();
    await expect.poll(() => done, { timeout: 10_000 }).toEqual(['k1', 'k2']);
    expect(performance.now() - addedAt).toBeGreaterThan(950);
    await worker.close();
    await queue.close();
    await backend.close();
    await store.dispose();
  });
});
