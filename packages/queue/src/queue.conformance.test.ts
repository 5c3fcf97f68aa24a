import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { openQueues } from './bullmq/queues.ts';
import {
  type Acceptance,
  type Accepted,
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
  type NewEffect,
  openBackend,
  silentLog,
  startJobWorker,
  type TakenJob,
} from './index.ts';
import { openProducer } from './job-queue.ts';

const log = silentLog;

function makeAcceptance(body: string, deliveryKey?: string): Acceptance {
  return {
    jobId: `job-${body}`,
    job: {
      endpoint: 'default',
      deliveryId: 'wh_1',
      receivedAt: '2026-11-21T09:30:00.000Z',
      body: JSON.stringify({ event: 'meeting.completed', body }),
    },
    keepSeconds: 660,
    ...(deliveryKey === undefined ? {} : { deliveryKey }),
  };
}

const accepted: Accepted = { kind: 'accepted', isConflict: false };
const duplicate: Accepted = { kind: 'duplicate', isConflict: false };

/** As the worker adds them: without a delay. */
function makeEffects(...keys: readonly string[]): NewEffect[] {
  return keys.map((key) => ({ job: makeEffect(key) }));
}

function makeEffect(effectKey: string, title = 'Weekly sync'): EffectJob {
  return {
    effectKey,
    destination: 'slack',
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

describeEachStore('the queue', (storeKind) => {
  let store: TestStore;
  let backend: Backend;
  let inbox: Inbox;
  let queue: JobQueue;
  let nowMs: number;
  let workers: JobWorker[];

  const openAll = async (): Promise<void> => {
    backend = await openBackend(store.queueUrl, { log });
    inbox = await createInbox(backend, { log, clock: () => nowMs });
    queue = await createJobQueue(backend);
  };
  const closeAll = async (): Promise<void> => {
    await queue.close();
    await inbox.close();
    await backend.close();
  };

  beforeAll(async () => {
    store = await openTestStore(storeKind);
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
    handle: (job: TakenJob<Name>) => Promise<JobOutcome<Name>> = () => Promise.resolve({ kind: 'done' }),
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
          {
            concurrency: 4,
            log,
            ...(name === 'effect' ? { destination: 'slack' } : {}),
            ...(onFailed === undefined ? {} : { onFailed }),
          },
        ),
      );
    });
  }

  /** What happens to the jobs of days ago: they were done and removed. */
  async function removeJobs(): Promise<void> {
    if (backend.kind === 'redis') {
      const client = backend.connect('accept');
      await once(client, 'ready');
      const keys = await client.keys(`{${backend.namespace}}:events:*`);
      await client.del(keys);
      client.disconnect();
    } else {
      const client = new pg.Client(backend.poolConfig('work'));
      await client.connect();
      await client.query(`delete from "${backend.namespace}_queue".job`);
      await client.end();
    }
  }

  async function listWaiting(): Promise<string[]> {
    if (backend.kind === 'redis') {
      const client = backend.connect('accept');
      await once(client, 'ready');
      const ids = await client.zrange(`{${backend.namespace}}:events:prioritized`, '0', '-1');
      client.disconnect();
      return ids;
    }
    const client = new pg.Client(backend.poolConfig('work'));
    await client.connect();
    const { rows } = await client.query<{ id: string }>(
      `select id from "${backend.namespace}_queue".job order by priority, seq`,
    );
    await client.end();
    return rows.map(({ id }) => id);
  }

  async function settledCounts(isSettled: (counts: { [state: string]: number }) => boolean) {
    await expect
      .poll(async () => isSettled({ ...(await queue.countEffects('slack')) }), {
        timeout: 10_000,
        interval: 20,
      })
      .toBe(true);
    return await queue.countEffects('slack');
  }

  it('passes the accepted delivery to the worker unchanged', async () => {
    expect(await inbox.accept(makeAcceptance('one'))).toEqual(accepted);
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
      dueAtMs: expect.any(Number),
    });
  });

  it('recognises a duplicate under any delivery id', async () => {
    expect(await inbox.accept(makeAcceptance('one', 'wh_1'))).toEqual(accepted);
    expect(await inbox.accept(makeAcceptance('one', 'wh_1'))).toEqual(duplicate);
    expect(await inbox.accept(makeAcceptance('one', 'wh_2'))).toEqual(duplicate);
    expect(await inbox.accept(makeAcceptance('one'))).toEqual(duplicate);
    expect(await queue.counts('event')).toEqual({
      waiting: 1,
      active: 0,
      delayed: 0,
      completed: 0,
      failed: 0,
    });
  });

  it('stores another delivery under a known delivery id as a conflict', async () => {
    await inbox.accept(makeAcceptance('one', 'wh_1'));
    expect(await inbox.accept(makeAcceptance('two', 'wh_1'))).toEqual({ kind: 'accepted', isConflict: true });
    expect(await inbox.accept(makeAcceptance('two', 'wh_1'))).toEqual({
      kind: 'duplicate',
      isConflict: true,
    });
    expect(await inbox.accept(makeAcceptance('one', 'wh_1'))).toEqual(duplicate);
    expect((await queue.counts('event')).waiting).toBe(2);
  });

  it('does not let a replay take the delivery id of a later delivery', async () => {
    await inbox.accept(makeAcceptance('one', 'wh_1'));
    await inbox.accept(makeAcceptance('one', 'wh_2'));
    expect(await inbox.accept(makeAcceptance('two', 'wh_2'))).toEqual(accepted);
  });

  it('recognises a duplicate for the given time, also without its job', async () => {
    await inbox.accept(makeAcceptance('one', 'wh_1'));
    await removeJobs();
    nowMs += 659_999;
    expect(await inbox.accept(makeAcceptance('one', 'wh_1'))).toEqual(duplicate);
    expect(await inbox.accept(makeAcceptance('two', 'wh_1'))).toEqual({ kind: 'accepted', isConflict: true });
    nowMs += 1;
    expect(await inbox.accept(makeAcceptance('one', 'wh_1'))).toEqual(accepted);
    expect((await queue.counts('event')).waiting).toBe(2);
  });

  it('forgets a delivery id after its time', async () => {
    await inbox.accept(makeAcceptance('one', 'wh_1'));
    nowMs += 660_000;
    expect(await inbox.accept(makeAcceptance('two', 'wh_1'))).toEqual(accepted);
    expect(await inbox.accept(makeAcceptance('three', 'wh_1'))).toEqual({
      kind: 'accepted',
      isConflict: true,
    });
  });

  it('recognises a duplicate by its job without the dedupe key', async () => {
    const jobs = await openQueues(backend, 'accept');
    const { jobId, job } = makeAcceptance('one');
    await openProducer(jobs, { name: 'event' }).add({ id: jobId, data: job });
    await jobs.close();
    expect(await inbox.accept(makeAcceptance('one'))).toEqual(duplicate);
    await inbox.accept(makeAcceptance('two'));
    nowMs += 660_000;
    expect(await inbox.accept(makeAcceptance('two'))).toEqual(duplicate);
    expect((await queue.counts('event')).waiting).toBe(2);
  });

  it('accepts many at once, each once', async () => {
    const bodies = Array.from({ length: 300 }, (_, index) => `body-${index % 150}`);
    const answers = await Promise.all(bodies.map((body) => inbox.accept(makeAcceptance(body, body))));
    expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(150);
    expect(answers.filter(({ isConflict }) => isConflict)).toEqual([]);
    expect((await queue.counts('event')).waiting).toBe(150);
  });

  it('keeps the order of concurrent deliveries', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `job-${19 - index}`);
    await Promise.all(ids.map((id) => inbox.accept(makeAcceptance(id.slice(4)))));
    const found = await listWaiting();
    expect(found).toEqual(ids);
  });

  it('answers each delivery of a group', async () => {
    await inbox.accept(makeAcceptance('old', 'wh_0'));
    const group = [
      makeAcceptance('one', 'wh_1'),
      makeAcceptance('two', 'wh_1'),
      makeAcceptance('old', 'wh_0'),
      makeAcceptance('one', 'wh_0'),
      makeAcceptance('three'),
    ];
    expect(await Promise.all(group.map((one) => inbox.accept(one)))).toEqual([
      accepted,
      { kind: 'accepted', isConflict: true },
      duplicate,
      { kind: 'duplicate', isConflict: true },
      accepted,
    ]);
  });

  it('reports no conflict with a later delivery', async () => {
    await inbox.accept(makeAcceptance('old'));
    const group = [
      makeAcceptance('old', 'wh_1'),
      makeAcceptance('one', 'wh_1'),
      makeAcceptance('old', 'wh_1'),
      makeAcceptance('one', 'wh_1'),
    ];
    expect(await Promise.all(group.map((one) => inbox.accept(one)))).toEqual([
      duplicate,
      accepted,
      { kind: 'duplicate', isConflict: true },
      duplicate,
    ]);
  });

  it('accepts a delivery once when several processes get it at once', async () => {
    const others = await Promise.all([1, 2, 3].map(() => createInbox(backend, { log, clock: () => nowMs })));
    const bodies = Array.from({ length: 60 }, (_, index) => `body-${index}`);
    const answers = await Promise.all(
      // Each in an order of its own, so that their groups meet in the middle.
      [inbox, ...others].map((one, turn) =>
        Promise.all(
          (turn % 2 === 0 ? bodies : bodies.toReversed()).map(async (body) => {
            const { kind, isConflict } = await one.accept(makeAcceptance(body, body));
            return `${body} ${kind} ${isConflict}`;
          }),
        ),
      ),
    );
    expect(answers.flat().filter((answer) => answer.endsWith(' accepted false'))).toHaveLength(60);
    expect(answers.flat().filter((answer) => answer.endsWith(' duplicate false'))).toHaveLength(180);
    expect(new Set(answers.flat()).size).toBe(120);
    expect((await queue.counts('event')).waiting).toBe(60);
    await Promise.all(others.map((one) => one.close()));
  });

  it('accepts a delivery of a mebibyte among small ones', async () => {
    const large = 'x'.repeat(1024 * 1024);
    const group = [
      makeAcceptance('small'),
      { ...makeAcceptance('large'), job: { ...makeAcceptance('l').job, body: large } },
    ];
    expect(await Promise.all(group.map((one) => inbox.accept(one)))).toEqual([accepted, accepted]);
    const taken = await take('event', 2);
    expect(taken.map(({ data }) => data.body.length).toSorted((a, b) => a - b)).toEqual([44, 1024 * 1024]);
  });

  it('keeps jobs and dedupe keys after a restart', async () => {
    await inbox.accept(makeAcceptance('one'));
    await closeAll();
    await openAll();
    expect(await inbox.accept(makeAcceptance('one'))).toEqual(duplicate);
    const [job] = await take('event', 1);
    expect(job?.id).toBe('job-one');
  });

  it('delays a job without using up an attempt', async () => {
    await queue.addEffects(makeEffects('e1'));
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
    await settledCounts((counts) => counts['completed'] === 1);
  });

  it('retries after a thrown error', async () => {
    await queue.addEffects(makeEffects('e1'));
    const taken = await take('effect', 2, (job) =>
      job.attempt === 1 ? Promise.reject(new Error('not now')) : Promise.resolve({ kind: 'done' }),
    );
    expect(taken.map(({ attempt, maxAttempts }) => [attempt, maxAttempts])).toEqual([
      [1, 12],
      [2, 12],
    ]);
    expect(await settledCounts((counts) => counts['completed'] === 1)).toMatchObject({ failed: 0 });
  });

  it('keeps a permanently failed job, and reports it once', async () => {
    await queue.addEffects(makeEffects('e1'));
    const failures: FailedJob<'effect'>[] = [];
    await take(
      'effect',
      1,
      () => Promise.resolve({ kind: 'failed', cause: 'channel_not_found' }),
      (failed) => failures.push(failed),
    );
    expect(await settledCounts((counts) => counts['failed'] === 1)).toMatchObject({ delayed: 0 });
    await expect
      .poll(() => failures)
      .toEqual([{ id: 'e1', data: makeEffect('e1'), attempt: 1, cause: 'channel_not_found' }]);
  });

  it('fails a job with unreadable data', async () => {
    const jobs = await openQueues(backend, 'work');
    // What a newer release could have written.
    const data = Object.assign(makeEffect('e1'), { part: 'first' });
    await openProducer(jobs, { name: 'effect', destination: 'slack' }).add({ id: 'e1', data });
    await jobs.close();
    const failures: FailedJob<'effect'>[] = [];
    void take('effect', 1, undefined, (failed) => failures.push(failed));
    await expect
      .poll(() => failures, { timeout: 5000 })
      .toEqual([{ id: 'e1', attempt: 1, cause: 'the data of this job cannot be read' }]);
  });

  it('leaves known effects unchanged', async () => {
    await queue.addEffects(makeEffects('e1', 'e2'));
    await queue.addEffects([{ job: makeEffect('e2', 'Other title') }, ...makeEffects('e3', 'e3')]);
    const taken = await take('effect', 3);
    expect(taken.map(({ data }) => `${data.effectKey} ${data.event.title}`).toSorted()).toEqual([
      'e1 Weekly sync',
      'e2 Weekly sync',
      'e3 Weekly sync',
    ]);
    await settledCounts((counts) => counts['completed'] === 3);
    await queue.addEffects(makeEffects('e1'));
    expect(await queue.countEffects('slack')).toMatchObject({ waiting: 0, completed: 3 });
  });

  it('stores texts and ids with unusual characters', async () => {
    const title = 'NUL \u0000, half a pair \ud83d, "quotes", \\u0000, 日本';
    const key = 'a:b/c\u0000\n日本';
    await queue.addEffects([{ job: makeEffect(key, title) }, { job: makeEffect('12345', title) }]);
    await inbox.accept({ ...makeAcceptance('x', key), jobId: key });
    expect(await inbox.accept({ ...makeAcceptance('x', key), jobId: key })).toEqual(duplicate);
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
    await queue.addEffects(makeEffects(...Array.from({ length: 40 }, (_, index) => `e${index}`)));
    const both = [backend, other].map((one, index) =>
      startJobWorker(
        one,
        'effect',
        async (job) => {
          seen[index]?.push(job.id);
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { kind: 'done' };
        },
        { destination: 'slack', concurrency: 2, log },
      ),
    );
    await settledCounts((counts) => counts['completed'] === 40);
    await Promise.all(both.map((worker) => worker.close()));
    await other.close();
    expect(new Set(seen.flat()).size).toBe(40);
    expect(seen.flat().length).toBe(40);
    expect(Math.min(...seen.map((ids) => ids.length))).toBeGreaterThan(0);
  });

  it('finishes running jobs before a worker closes, and starts no others', async () => {
    await queue.addEffects(makeEffects('e1', 'e2'));
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
        { destination: 'slack', concurrency: 1, log },
      );
    });
    const closed = (await isRunning).close();
    finish?.();
    await closed;
    expect(await queue.countEffects('slack')).toMatchObject({ waiting: 1, active: 0, completed: 1 });
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
    await queue.addEffects(makeEffects('e1'));
    await otherInbox.accept(makeAcceptance('one'));

    await emptyNamespace(backend);
    expect(await queue.counts('event')).toMatchObject({ waiting: 0 });
    expect(await queue.countEffects('slack')).toMatchObject({ waiting: 0 });
    expect(await inbox.accept(makeAcceptance('one'))).toEqual(accepted);
    const [job] = await take('event', 1);
    expect(job?.id).toBe('job-one');

    expect(await otherInbox.accept(makeAcceptance('one'))).toEqual(duplicate);
    await otherInbox.close();
    await other.close();
  });
});
