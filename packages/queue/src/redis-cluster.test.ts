import {
  describeEachStore,
  openTestStore,
  type RedisServer,
  startRedisClusterNode,
  type TestStore,
  withConnectionsTo,
} from '@aftermeet/test/support';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  createInbox,
  createJobQueue,
  type EffectJob,
  emptyNamespace,
  openBackend,
  openJobAdmin,
  openJobSchedules,
  silentLog,
  startJobWorker,
} from './index.ts';

const log = silentLog;

const effect: EffectJob = {
  effectKey: 'e1',
  destination: 'email',
  recipe: 'email-follow-up',
  target: 'T1',
  part: 0,
  event: { kind: 'k', meetingId: 'm', occurrence: 'o', endpoint: 'default', receivedAt: 'r' },
};

describeEachStore(
  'a Redis Cluster',
  () => {
    let store: TestStore;
    let server: RedisServer;
    let admin: Redis;

    beforeAll(async () => {
      store = await openTestStore('redis');
      server = await startRedisClusterNode('{aftermeet}');
      admin = new Redis(server.url);
    });
    afterAll(async () => {
      admin.disconnect();
      await server.stop();
      await store.dispose();
    });

    it('is refused in words, also to a user without INFO', async () => {
      await admin.acl('SETUSER', 'guest', 'on', '>hunter2', '~*', '&*', '+@all', '-info');
      const guest = server.url.replace('redis://', 'redis://guest:hunter2@');
      for (const url of [server.url, guest]) {
        await expect(openBackend(url, { log })).rejects.toThrow(
          `Redis at ${url.replace('guest:hunter2', '…')} can't be used: it is a Redis Cluster, which Aftermeet does ` +
            'not support. Set QUEUE_URL to a server that is not part of a cluster (cluster-enabled no), or to sentinels.',
        );
      }
    });

    it('refuses a key of another slot, or this test would show nothing', async () => {
      await expect(admin.set('elsewhere', '1')).rejects.toThrow('Hash slot not served');
    });

    // Servers that look like one and spread the keys over several keep what is in one slot together.
    it('would find all keys in one slot: accepts, adds, takes, puts aside, pauses, repeats and schedules', async () => {
      const opened = await openBackend(store.queueUrl, { log });
      if (opened.kind !== 'redis') throw new Error('not Redis');
      const backend = withConnectionsTo(server, opened);
      const inbox = await createInbox(backend, { log });
      const queue = await createJobQueue(backend);
      const jobAdmin = await openJobAdmin(backend);
      const schedules = await openJobSchedules(backend);

      const job = { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' };
      const acceptance = { jobId: 'job-1', job, keepSeconds: 60, deliveryKey: 'wh_1' };
      expect(await inbox.accept(acceptance)).toEqual({ kind: 'accepted', isConflict: false });
      expect(await inbox.accept(acceptance)).toEqual({ kind: 'duplicate', isConflict: false });
      await inbox.recordRefusal({ endpoint: 'e', receivedAt: 'r', reason: 'x', bytes: 1, bodySha256: 'ab' });
      await inbox.ping();
      const events: string[] = [];
      for await (const { id } of jobAdmin.listEvents()) events.push(id);
      expect(events).toEqual(['job-1']);

      const starts: unknown[] = [];
      const worker = startJobWorker(
        backend,
        'effect',
        ({ startedTimes, data }) => {
          starts.push([startedTimes, data.restedStarts]);
          return Promise.resolve(
            startedTimes === 1
              ? { kind: 'wait', forMs: 5, cause: 'lane', data: { ...data, restedStarts: 1 } }
              : { kind: 'failed', cause: 'x' },
          );
        },
        { destination: 'email', concurrency: 2, log },
      );
      await queue.addEffects([{ job: effect, delayMs: 5 }]);
      await expect.poll(async () => (await queue.countEffects('email')).failed).toBe(1);
      worker.setConcurrency(0);
      expect(await jobAdmin.repeatEffect('email', 'e1')).toBe(true);
      await schedules.set('reconcile', { everyMs: 600_000 }, { task: 'reconcile' });
      expect(await schedules.list()).toHaveLength(1);
      worker.setConcurrency(1);
      await expect
        .poll(() => starts)
        .toEqual([
          [1, undefined],
          [2, 1],
          [1, undefined],
          [2, 1],
        ]);
      await expect.poll(async () => (await queue.countEffects('email')).failed).toBe(1);
      await worker.close();

      await emptyNamespace(backend);
      expect((await admin.keys('*')).filter((key) => !key.endsWith(':meta'))).toEqual([]);
      await Promise.all([schedules.close(), jobAdmin.close(), queue.close(), inbox.close()]);
      await backend.close();
    });
  },
  ['redis'],
);
