import { randomUUID } from 'node:crypto';

import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { openJobStore } from './bullmq/job-store.ts';
import {
  type Acceptance,
  type Backend,
  createInbox,
  createJobQueue,
  type EffectJob,
  emptyNamespace,
  type FailedJob,
  type Inbox,
  type JobName,
  type JobOutcome,
  type JobQueue,
  type JobWorker,
  openBackend,
  silentLog,
  startJobWorker,
  type TakenJob,
} from './index.ts';

const log = silentLog;

function makeAcceptance(
  body: string,
  keys: readonly string[] = [`mac-${body}`, `delivery-${body}`],
): Acceptance {
  return {
    jobId: `job-${body}`,
    job: {
      endpoint: 'default',
      deliveryId: 'wh_1',
      receivedAt: '2026-11-21T09:30:00.000Z',
      body: JSON.stringify({ event: 'meeting.completed', body }),
    },
    fingerprints: keys.map((key) => ({ key, keepSeconds: 660 })),
  };
}

function makeEffect(effectKey: string, title = 'Weekly sync'): EffectJob {
  return {
    effectKey,
    recipe: 'slack-recap',
    target: 'C0123',
    part: 0,
    event: {
      kind: 'meeting.completed',
      meetingId: 'm_1',
      occurrence: '2026-11-21T09:00:00Z',
      endpoint: 'default',
      title,
      receivedAt: '2026-11-21T09:30:00.000Z',
    },
  };
}

describeEachStore('the queue', (kind) => {
  let store: TestStore;
  let backend: Backend;
  let inbox: Inbox;
  let queue: JobQueue;
  let nowMs: number;
  let workers: JobWorker[];

  const openAll = async (): Promise<void> => {
    backend = await openBackend(store.queueUrl, { log });
    inbox = await createInbox(backend, { log, clock: () => nowMs });
    queue = await createJobQueue(backend, { log });
  };
  const closeAll = async (): Promise<void> => {
    await queue.close();
    await inbox.close();
    await backend.close();
  };

  beforeAll(async () => {
    store = await openTestStore(kind);
    await openAll();
  });
  beforeEach(async () => {
    nowMs = 1_795_000_000_000;
    workers = [];
    await emptyNamespace(backend);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
  });
  afterAll(async () => {
    await closeAll();
    await store.dispose();
  });

  /** Runs a worker until `count` jobs were taken, and gives what it took. */
  function take<Name extends JobName>(
    name: Name,
    count: number,
    handle: (job: TakenJob<Name>) => Promise<JobOutcome> = () => Promise.resolve({ kind: 'done' }),
    onFailed?: (failed: FailedJob<Name>) => void,
  ): Promise<TakenJob<Name>[]> {
    const taken: TakenJob<Name>[] = [];
    return new Promise((resolve) => {
      workers.push(
        startJobWorker(
          backend,
          name,
          async (job) => {
            taken.push(job);
            const outcome = handle(job);
            if (taken.length === count) resolve(taken);
            return await outcome;
          },
          { concurrency: 4, log, ...(onFailed === undefined ? {} : { onFailed }) },
        ),
      );
    });
  }

  async function settledCounts(name: JobName, isSettled: (counts: { [state: string]: number }) => boolean) {
    return await expect
      .poll(async () => isSettled({ ...(await queue.counts(name)) }), { timeout: 10_000, interval: 20 })
      .toBe(true)
      .then(() => queue.counts(name));
  }

  it('hands the worker exactly the delivery that was accepted', async () => {
    expect(await inbox.accept(makeAcceptance('one'))).toBe('accepted');
    const [job] = await take('event', 1);
    expect(job).toEqual({
      id: 'job-one',
      data: {
        endpoint: 'default',
        deliveryId: 'wh_1',
        receivedAt: '2026-11-21T09:30:00.000Z',
        body: '{"event":"meeting.completed","body":"one"}',
      },
      attempt: 1,
      startedTimes: 1,
      maxAttempts: 20,
    });
  });

  it('knows a delivery again by either fingerprint', async () => {
    await inbox.accept(makeAcceptance('one', ['mac', 'delivery']));
    expect(await inbox.accept(makeAcceptance('one', ['mac', 'other']))).toBe('duplicate');
    expect(await inbox.accept(makeAcceptance('one', ['other', 'delivery']))).toBe('duplicate');
    expect(await inbox.accept(makeAcceptance('two', ['other']))).toBe('accepted');
    expect(await queue.counts('event')).toEqual({
      waiting: 2,
      active: 0,
      delayed: 0,
      completed: 0,
      failed: 0,
    });
  });

  it('forgets a fingerprint when its time is over', async () => {
    await inbox.accept(makeAcceptance('one', ['mac']));
    nowMs += 659_999;
    expect(await inbox.accept(makeAcceptance('one', ['mac']))).toBe('duplicate');
    nowMs += 1;
    expect(await inbox.accept(makeAcceptance('one', ['mac']))).toBe('accepted');
  });

  it('accepts again, without a second job, when a crash came between the job and its fingerprints', async () => {
    const jobs = await openJobStore(backend, 'event', 'accept', log);
    const { jobId, job } = makeAcceptance('one');
    await jobs.add({ id: jobId, data: job });
    await jobs.close();
    expect(await inbox.accept(makeAcceptance('one'))).toBe('accepted');
    expect(await inbox.accept(makeAcceptance('one'))).toBe('duplicate');
    expect((await queue.counts('event')).waiting).toBe(1);
  });

  it('accepts many at once, each once', async () => {
    const bodies = Array.from({ length: 300 }, (_, index) => `body-${index % 150}`);
    const answers = await Promise.all(bodies.map((body) => inbox.accept(makeAcceptance(body))));
    expect(answers.filter((answer) => answer === 'accepted').length).toBeGreaterThanOrEqual(150);
    expect((await queue.counts('event')).waiting).toBe(150);
  });

  it('keeps jobs and fingerprints when everything is closed and opened again', async () => {
    await inbox.accept(makeAcceptance('one'));
    await closeAll();
    await openAll();
    expect(await inbox.accept(makeAcceptance('one'))).toBe('duplicate');
    const [job] = await take('event', 1);
    expect(job?.id).toBe('job-one');
  });

  it('puts a job aside without burning an attempt', async () => {
    await queue.addEffects([makeEffect('e1')]);
    const taken = await take('effect', 3, (job) =>
      Promise.resolve(
        job.startedTimes < 3 ? { kind: 'wait', forMs: 5, cause: 'rate_limited' } : { kind: 'done' },
      ),
    );
    expect(taken.map(({ attempt, startedTimes }) => [attempt, startedTimes])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
    await settledCounts('effect', (counts) => counts['completed'] === 1);
  });

  it('tries again after a thrown error, a moment later', async () => {
    await queue.addEffects([makeEffect('e1')]);
    const taken = await take('effect', 2, (job) =>
      job.attempt === 1 ? Promise.reject(new Error('not now')) : Promise.resolve({ kind: 'done' }),
    );
    expect(taken.map(({ attempt, maxAttempts }) => [attempt, maxAttempts])).toEqual([
      [1, 12],
      [2, 12],
    ]);
    expect(await settledCounts('effect', (counts) => counts['completed'] === 1)).toMatchObject({ failed: 0 });
  });

  it('keeps a job that failed for good, and tells of it once', async () => {
    await queue.addEffects([makeEffect('e1')]);
    const failures: FailedJob<'effect'>[] = [];
    await take(
      'effect',
      1,
      () => Promise.resolve({ kind: 'failed', cause: 'channel_not_found' }),
      (failed) => failures.push(failed),
    );
    expect(await settledCounts('effect', (counts) => counts['failed'] === 1)).toMatchObject({ delayed: 0 });
    await expect
      .poll(() => failures)
      .toEqual([{ id: 'e1', data: makeEffect('e1'), attempt: 1, cause: 'channel_not_found' }]);
  });

  it('fails a job whose data nobody can read', async () => {
    const jobs = await openJobStore(backend, 'effect', 'work', log);
    // What a newer release could have written.
    await jobs.add({ id: 'e1', data: Object.assign(makeEffect('e1'), { part: 'first' }) });
    await jobs.close();
    const failures: FailedJob<'effect'>[] = [];
    void take('effect', 1, undefined, (failed) => failures.push(failed));
    await expect
      .poll(() => failures, { timeout: 5000 })
      .toEqual([{ id: 'e1', attempt: 1, cause: 'the data of this job can not be read' }]);
  });

  it('leaves effects that are known already as they are', async () => {
    await queue.addEffects([makeEffect('e1'), makeEffect('e2')]);
    await queue.addEffects([makeEffect('e2', 'Other title'), makeEffect('e3'), makeEffect('e3')]);
    const taken = await take('effect', 3);
    expect(taken.map(({ data }) => `${data.effectKey} ${data.event.title}`).toSorted()).toEqual([
      'e1 Weekly sync',
      'e2 Weekly sync',
      'e3 Weekly sync',
    ]);
    await settledCounts('effect', (counts) => counts['completed'] === 3);
    await queue.addEffects([makeEffect('e1')]);
    expect(await queue.counts('effect')).toMatchObject({ waiting: 0, completed: 3 });
  });

  it('carries texts and ids that a store could choke on', async () => {
    const title = 'NUL \u0000, half a pair \ud83d, "quotes", \\u0000, 日本';
    const key = 'a:b/c\u0000\n日本';
    await queue.addEffects([makeEffect(key, title), makeEffect('12345', title)]);
    await inbox.accept({ ...makeAcceptance('x', [key]), jobId: key });
    expect(await inbox.accept({ ...makeAcceptance('x', [key]), jobId: key })).toBe('duplicate');
    const effects = await take('effect', 2);
    expect(effects.map(({ data }) => data.event.title)).toEqual([title, title]);
    expect(effects.map(({ data }) => data.effectKey).toSorted()).toEqual(['12345', key]);
    const events = await take('event', 1);
    expect(events.map(({ id }) => id)).toEqual([
      '5b73eb974a420c7420a40639843da04d8da32e58f2536b775753b74ec49bcee1',
    ]);
  });

  it('shares the load between workers, and runs each job once', async () => {
    const other = await openBackend(store.queueUrl, { log });
    const seen: string[][] = [[], []];
    await queue.addEffects(Array.from({ length: 40 }, (_, index) => makeEffect(`e${index}`)));
    const both = [backend, other].map((one, index) =>
      startJobWorker(
        one,
        'effect',
        async (job) => {
          seen[index]?.push(job.id);
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { kind: 'done' };
        },
        { concurrency: 2, log },
      ),
    );
    await settledCounts('effect', (counts) => counts['completed'] === 40);
    await Promise.all(both.map((worker) => worker.close()));
    await other.close();
    expect(new Set(seen.flat()).size).toBe(40);
    expect(seen.flat().length).toBe(40);
    expect(Math.min(...seen.map((ids) => ids.length))).toBeGreaterThan(0);
  });

  it('finishes what runs before a worker is closed, and takes no more', async () => {
    await queue.addEffects([makeEffect('e1'), makeEffect('e2')]);
    let finish: (() => void) | undefined;
    const isRunning = new Promise<JobWorker>((resolve) => {
      const worker = startJobWorker(
        backend,
        'effect',
        async () => {
          resolve(worker);
          await new Promise<void>((end) => {
            finish = end;
          });
          return { kind: 'done' };
        },
        { concurrency: 1, log },
      );
    });
    const closed = (await isRunning).close();
    finish?.();
    await closed;
    expect(await queue.counts('effect')).toMatchObject({ waiting: 1, active: 0, completed: 1 });
  });

  it('keeps the newest thousand refusals', async () => {
    const refusal = (reason: string) => ({
      endpoint: 'default',
      receivedAt: '2026-11-21T09:30:00.000Z',
      reason,
      bytes: 12,
      bodySha256: 'ab'.repeat(32),
    });
    for (let chunk = 0; chunk < 50; chunk++) {
      await Promise.all(Array.from({ length: 20 }, () => inbox.recordRefusal(refusal('old'))));
    }
    await inbox.recordRefusal(refusal('newer'));
    await inbox.recordRefusal(refusal('newest'));
    expect(await inbox.listRefusals(3)).toEqual([refusal('newest'), refusal('newer'), refusal('old')]);
    expect(await inbox.listRefusals(5000)).toHaveLength(1000);
  });

  it('answers a ping', async () => {
    await expect(inbox.ping()).resolves.toBeUndefined();
  });

  it('empties a namespace and nothing else', async () => {
    const otherName = `other_${randomUUID().slice(0, 8)}`;
    const other = await openBackend(store.queueUrl, { log, namespace: otherName });
    const otherInbox = await createInbox(other, { log });
    await inbox.accept(makeAcceptance('one'));
    await queue.addEffects([makeEffect('e1')]);
    await otherInbox.accept(makeAcceptance('one'));

    await emptyNamespace(backend);
    expect(await queue.counts('event')).toMatchObject({ waiting: 0 });
    expect(await queue.counts('effect')).toMatchObject({ waiting: 0 });
    expect(await inbox.accept(makeAcceptance('one'))).toBe('accepted');
    const [job] = await take('event', 1);
    expect(job?.id).toBe('job-one');

    expect(await otherInbox.accept(makeAcceptance('one'))).toBe('duplicate');
    await otherInbox.close();
    await other.close();
  });
});
