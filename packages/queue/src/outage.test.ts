import path from 'node:path';

import {
  describeEachStore,
  findPostmaster,
  makeTemporaryFolder,
  type RedisServer,
  signalFamily,
  startRedisServer,
  type TemporaryFolder,
} from '@aftermeet/test/support';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type Backend,
  createInbox,
  createJobQueue,
  type Inbox,
  type JobWorker,
  openBackend,
  silentLog,
  startJobWorker,
  StoreUnavailable,
} from './index.ts';

const log = silentLog;
let serial = 0;

function acceptOne(inbox: Inbox, id = `${(serial += 1)}`): Promise<'accepted' | 'duplicate'> {
  return inbox.accept({
    jobId: `job-${id}`,
    job: { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' },
    fingerprints: [{ key: `mac-${id}`, keepSeconds: 600 }],
  });
}

/** Asks many at once, as deliveries come; says what each error was and the longest time in milliseconds. */
async function refuseMany(inbox: Inbox): Promise<{ readonly names: unknown[]; readonly longestMs: number }> {
  const beganMs = performance.now();
  const names = await Promise.all(
    Array.from({ length: 20 }, () =>
      acceptOne(inbox).catch(
        (error: unknown) => error instanceof StoreUnavailable && error.cause instanceof Error,
      ),
    ),
  );
  return { names: [...new Set(names)], longestMs: performance.now() - beganMs };
}

async function expectRefusals(inbox: Inbox): Promise<void> {
  const { names, longestMs } = await refuseMany(inbox);
  expect(names).toEqual([true]);
  expect(longestMs).toBeLessThan(900);
}

async function expectRecovery(inbox: Inbox): Promise<void> {
  await expect
    .poll(() => acceptOne(inbox).catch(() => 'unavailable'), { timeout: 10_000, interval: 50 })
    .toBe('accepted');
}

describeEachStore(
  'an outage',
  () => {
    let server: RedisServer;
    let admin: Redis;
    let backend: Backend;
    let inbox: Inbox;

    beforeAll(async () => {
      server = await startRedisServer();
      admin = new Redis(server.url);
      admin.on('error', () => undefined);
      backend = await openBackend(server.url, { log });
      inbox = await createInbox(backend, { log });
    });
    afterAll(async () => {
      admin.disconnect();
      await inbox.close();
      await backend.close();
      await server.stop();
    });

    it('refuses within 900 ms while the server is stopped, and accepts when it goes on', async () => {
      server.signal('SIGSTOP');
      await expectRefusals(inbox);
      await expect(inbox.ping()).rejects.toBeInstanceOf(StoreUnavailable);
      server.signal('SIGCONT');
      await expectRecovery(inbox);
    });

    it('refuses at once when the server was killed, and accepts when it is back', async () => {
      await server.kill();
      await expectRefusals(inbox);
      await server.start();
      await expectRecovery(inbox);
    });

    it('refuses when the memory is full', async () => {
      await admin.config('SET', 'maxmemory', '1');
      await expectRefusals(inbox);
      await admin.config('SET', 'maxmemory', '0');
      await expectRecovery(inbox);
    });

    it('refuses when the server has become a read-only replica', async () => {
      await admin.replicaof('127.0.0.1', '1');
      await expectRefusals(inbox);
      await admin.replicaof('NO', 'ONE');
      await expectRecovery(inbox);
    });

    it('does not remember a delivery whose job could not be stored', async () => {
      await admin.rename('{aftermeet}:events:meta', 'away');
      await admin.set('{aftermeet}:events:meta', 'not a hash');
      await expect(acceptOne(inbox, 'lost-job')).rejects.toBeInstanceOf(StoreUnavailable);
      await admin.rename('away', '{aftermeet}:events:meta');
      expect(await acceptOne(inbox, 'lost-job')).toBe('accepted');
      expect(await acceptOne(inbox, 'lost-job')).toBe('duplicate');
    });

    it('lets a worker that was started while the server is away begin when it is back', async () => {
      await server.kill();
      const taken: string[] = [];
      const worker = startTaking(backend, taken);
      await server.start();
      await addEffectAndWait(backend, taken, 'late');
      await worker.close();
    });

    it('closes a worker that was started while the server is away', async () => {
      await server.kill();
      await startTaking(backend, []).close();
      await server.start();
    });

    it('keeps a worker going through a restart of the server', async () => {
      const taken: string[] = [];
      const worker = startTaking(backend, taken);
      await addEffectAndWait(backend, taken, 'before');
      await server.kill();
      await server.start();
      await addEffectAndWait(backend, taken, 'after');
      await worker.close();
    });

    it('closes what is open although the server does not answer', async () => {
      const other = await createInbox(backend, { log });
      const worker = startJobWorker(backend, 'event', () => Promise.resolve({ kind: 'done' }), {
        concurrency: 2,
        log,
      });
      await addEffectAndWait(backend, undefined, 'unused');
      server.signal('SIGSTOP');
      const beganMs = performance.now();
      await Promise.all([other.close(), worker.close()]);
      expect(performance.now() - beganMs).toBeLessThan(10_000);
      server.signal('SIGCONT');
    });
  },
  ['redis'],
);

describeEachStore(
  'an outage',
  () => {
    let postmasterOf: () => number;
    let folder: TemporaryFolder;
    let keeper: Backend;
    let backend: Backend;
    let inbox: Inbox;

    beforeAll(async () => {
      folder = await makeTemporaryFolder();
      postmasterOf = () => findPostmaster(path.join(folder.path, 'cluster/data')) ?? 0;
      keeper = await openBackend(`embedded:${folder.path}`, { log });
      backend = keeper;
      inbox = await createInbox(backend, { log });
    });
    afterAll(async () => {
      await inbox.close();
      await keeper.close();
      folder.remove();
    });

    it('refuses within 900 ms while the server is stopped, and accepts when it goes on', async () => {
      const postmaster = postmasterOf();
      signalFamily(postmaster, 'SIGSTOP');
      await expectRefusals(inbox);
      await expect(inbox.ping()).rejects.toBeInstanceOf(StoreUnavailable);
      signalFamily(postmaster, 'SIGCONT');
      await expectRecovery(inbox);
    });

    it('refuses when the server has become read-only', async () => {
      const admin = new pg.Client(keeper.kind === 'postgres' ? keeper.poolConfig('work') : {});
      await admin.connect();
      const setReadOnly = async (value: string): Promise<void> => {
        await admin.query(`alter system set default_transaction_read_only = ${value}`);
        await admin.query('select pg_reload_conf()');
      };
      await setReadOnly('on');
      await expect.poll(() => acceptOne(inbox).catch(() => 'unavailable')).toBe('unavailable');
      await expectRefusals(inbox);
      await setReadOnly('off');
      await admin.end();
      await expectRecovery(inbox);
    });

    it('refuses at once when the server was killed, and a live process starts it again', async () => {
      const killed = postmasterOf();
      process.kill(killed, 'SIGKILL');
      await expectRefusals(inbox);
      await expectRecovery(inbox);
      expect(postmasterOf()).not.toBe(killed);
    });

    it('does not remember a delivery whose job could not be stored', async () => {
      const admin = new pg.Client(keeper.kind === 'postgres' ? keeper.poolConfig('work') : {});
      await admin.connect();
      await admin.query('alter table aftermeet_queue.job rename to job_away');
      await expect(acceptOne(inbox, 'lost-job')).rejects.toBeInstanceOf(StoreUnavailable);
      await admin.query('alter table aftermeet_queue.job_away rename to job');
      expect(await acceptOne(inbox, 'lost-job')).toBe('accepted');
      expect(await acceptOne(inbox, 'lost-job')).toBe('duplicate');
      await admin.end();
    });

    it('lets a worker that was started while the server is away begin when it is back', async () => {
      process.kill(postmasterOf(), 'SIGKILL');
      const taken: string[] = [];
      const worker = startTaking(backend, taken);
      await expectRecovery(inbox);
      await addEffectAndWait(backend, taken, 'late');
      await worker.close();
    });

    it('keeps a worker going through a crash of the server', async () => {
      const taken: string[] = [];
      const worker = startTaking(backend, taken);
      await addEffectAndWait(backend, taken, 'before');
      process.kill(postmasterOf(), 'SIGKILL');
      await expectRecovery(inbox);
      await addEffectAndWait(backend, taken, 'after');
      await worker.close();
    });
  },
  ['embedded'],
);

async function addEffectAndWait(
  backend: Backend,
  taken: readonly string[] | undefined,
  id: string,
): Promise<void> {
  const queue = await createJobQueue(backend, { log });
  await queue.addEffects([
    {
      effectKey: id,
      recipe: 'slack-recap',
      target: 'C1',
      part: 0,
      event: { kind: 'k', meetingId: 'm', occurrence: 'o', endpoint: 'default', receivedAt: 'r' },
    },
  ]);
  if (taken !== undefined) await expect.poll(() => taken, { timeout: 15_000, interval: 20 }).toContain(id);
  await queue.close();
}

function startTaking(backend: Backend, taken: string[]): JobWorker {
  return startJobWorker(
    backend,
    'effect',
    (job) => {
      taken.push(job.id);
      return Promise.resolve({ kind: 'done' });
    },
    { concurrency: 2, log },
  );
}
