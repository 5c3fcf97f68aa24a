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
  findStoreCause,
  type Inbox,
  type JobWorker,
  openBackend,
  silentLog,
  startJobWorker,
  type StoreCause,
  StoreUnavailable,
} from './index.ts';

const log = silentLog;
let serial = 0;

async function acceptOne(inbox: Inbox, id = `${(serial += 1)}`): Promise<'accepted' | 'duplicate'> {
  const { kind } = await inbox.accept({
    jobId: `job-${id}`,
    job: { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' },
    keepSeconds: 600,
  });
  return kind;
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

/** What both a delivery and a ping say of the store. */
async function expectCause(inbox: Inbox, code: StoreCause): Promise<void> {
  for (const ask of [() => acceptOne(inbox), () => inbox.ping()]) {
    const codeOf = (error: unknown) => (error instanceof StoreUnavailable ? error.code : error);
    await expect.poll(() => ask().then(() => 'fine', codeOf), { timeout: 20_000 }).toBe(code);
  }
}

async function expectRecovery(inbox: Inbox): Promise<void> {
  await expect
    .poll(() => acceptOne(inbox).catch(() => 'unavailable'), { timeout: 60_000, interval: 50 })
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
      // A folder of this name is there: no snapshot can take its place.
      server = await startRedisServer(['--dbfilename', 'appendonlydir']);
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
      await expectCause(inbox, 'store_full');
      await admin.config('SET', 'maxmemory', '0');
      await expectRecovery(inbox);
    });

    it('keeps the last megabytes of the memory for the worker', async () => {
      const leave = async (bytes: number): Promise<void> => {
        const [, used] = /^used_memory:(\d+)/m.exec(await admin.info('memory')) ?? [];
        await admin.config('SET', 'maxmemory', String(Number(used) + bytes));
      };
      await leave(7 * 1024 * 1024);
      await expectCause(inbox, 'store_full');
      await admin.set('another', 'a write of the worker');
      await leave(32 * 1024 * 1024);
      await expectRecovery(inbox);
      // A server that evicts refuses no write.
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await leave(1024 * 1024);
      await expectRecovery(inbox);
      await admin.config('SET', 'maxmemory-policy', 'noeviction');
      await admin.config('SET', 'maxmemory', '0');
    });

    it('refuses when the server cannot save to its disk', async () => {
      await admin.config('SET', 'save', '900 1');
      await admin.bgsave();
      await expectCause(inbox, 'not_persisting');
      await admin.config('SET', 'save', '');
      await expectRecovery(inbox);
    });

    it('refuses while the password is wrong, and names it', async () => {
      await admin.acl('SETUSER', 'app', 'on', '>first', '~*', '&*', '+@all');
      const address = server.url.replace('//', '//app:first@');
      const other = await openBackend(address, { log });
      const closed = await createInbox(other, { log });
      await admin.acl('SETUSER', 'app', 'resetpass', '>second');
      await admin.client('KILL', 'USER', 'app');
      await expectCause(closed, 'refused');
      const opening = await openBackend(address, { log }).catch((error: unknown) => error);
      expect(findStoreCause(opening)).toBe('refused');
      await admin.acl('SETUSER', 'app', '>first');
      await expectRecovery(closed);
      await closed.close();
      await other.close();
      await admin.acl('DELUSER', 'app');
    });

    it('accepts where the user may not read the memory, and says so once', async () => {
      await admin.acl('SETUSER', 'app', 'on', '>first', '~*', '&*', '+@all', '-info');
      const other = await openBackend(server.url.replace('//', '//app:first@'), { log });
      const lines: string[] = [];
      const warn = (_fields: object, text: string): void => void lines.push(text);
      const blind = await createInbox(other, { log: { ...log, warn } });
      expect(await acceptOne(blind)).toBe('accepted');
      await blind.ping();
      expect(lines).toEqual([
        'this Redis does not show its memory (INFO): make sure that it never becomes full',
      ]);
      await blind.close();
      await other.close();
      await admin.acl('DELUSER', 'app');
    });

    it('refuses when the server has become a read-only replica', async () => {
      await admin.replicaof('127.0.0.1', '1');
      await expectRefusals(inbox);
      await expectCause(inbox, 'read_only');
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

    it.each(['events', 'prioritized', 'marker'])(
      'leaves no job behind that no worker sees, when %s is of a wrong type',
      async (name) => {
        const key = `{aftermeet}:events:${name}`;
        await acceptOne(inbox);
        await admin.rename(key, 'away');
        await admin.set(key, 'of a wrong type');
        const id = `half-${name}`;
        await expect(acceptOne(inbox, id)).rejects.toBeInstanceOf(StoreUnavailable);
        await expect(inbox.ping()).rejects.toBeInstanceOf(StoreUnavailable);
        expect(await admin.exists(`{aftermeet}:events:job-${id}`)).toBe(0);
        await admin.rename('away', key);
        await inbox.ping();
        expect(await acceptOne(inbox, id)).toBe('accepted');
        expect(await admin.zrange('{aftermeet}:events:prioritized', '-1', '-1')).toEqual([`job-${id}`]);
      },
    );

    it('leaves no job behind that no worker sees, when the user may not write its events', async () => {
      await admin.acl('SETUSER', 'default', '-@stream');
      await expect(acceptOne(inbox, 'no-stream')).rejects.toBeInstanceOf(StoreUnavailable);
      await admin.acl('SETUSER', 'default', '+@all');
      expect(await acceptOne(inbox, 'no-stream')).toBe('accepted');
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
    let data: string;
    let postmasterOf: () => number;
    let folder: TemporaryFolder;
    let keeper: Backend;
    let backend: Backend;
    let inbox: Inbox;

    beforeAll(async () => {
      folder = await makeTemporaryFolder();
      data = path.join(folder.path, 'cluster/data');
      postmasterOf = () => {
        const found = findPostmaster(data);
        // A signal to process 0 would go to this process and all its relatives.
        if (found === undefined) throw new Error('no server runs');
        return found;
      };
      keeper = await openBackend(`embedded:${folder.path}`, { log });
      backend = keeper;
      inbox = await createInbox(backend, { log });
    });
    afterAll(async () => {
      await inbox.close();
      await keeper.close();
      folder.remove();
    });

    /** The children of a killed server may confirm for a moment longer: that is no recovery. */
    async function expectRestart(killed: number): Promise<void> {
      const findNew = (): boolean => ![killed, undefined].includes(findPostmaster(data));
      await expect.poll(findNew, { timeout: 60_000, interval: 50 }).toBe(true);
      await expectRecovery(inbox);
    }

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
      await expectCause(inbox, 'read_only');
      await setReadOnly('off');
      await admin.end();
      await expectRecovery(inbox);
    });

    it('refuses when the disk is full', async () => {
      const admin = new pg.Client(keeper.kind === 'postgres' ? keeper.poolConfig('work') : {});
      await admin.connect();
      // As the server says it; a disk of its own would need root.
      await admin.query(`
        create function refuse() returns trigger language plpgsql as
          $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
        create trigger refuse before insert on aftermeet.marks for each row execute function refuse()`);
      await expect(inbox.ping()).rejects.toMatchObject({ code: 'disk_full' });
      await expectCause(inbox, 'disk_full');
      await admin.query('drop function refuse cascade');
      await admin.end();
      await expectRecovery(inbox);
    });

    it('refuses after the server was killed, keeps confirmed deliveries, and starts again', async () => {
      const killed = postmasterOf();
      process.kill(killed, 'SIGKILL');
      const ids = Array.from({ length: 20 }, (_, index) => `killed-${index}`);
      const beganMs = performance.now();
      // The server's children live a moment longer, and what they confirm is on the disk.
      const answers = await Promise.all(ids.map((id) => acceptOne(inbox, id).catch(() => 'unavailable')));
      expect(performance.now() - beganMs).toBeLessThan(900);
      await expectRestart(killed);
      const confirmed = ids.filter((_, index) => answers[index] === 'accepted');
      for (const id of confirmed) expect(await acceptOne(inbox, id)).toBe('duplicate');
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

    it('leaves no sessions behind that wait for a lock on and on', async () => {
      const admin = new pg.Client(keeper.kind === 'postgres' ? keeper.poolConfig('work') : {});
      await admin.connect();
      await admin.query('begin');
      await admin.query('lock table aftermeet_queue.job in access exclusive mode');
      await expectRefusals(inbox);
      const countWaiting = async (): Promise<unknown> => {
        // A transaction sees the sessions as they were when it first looked.
        await admin.query('select pg_stat_clear_snapshot()');
        const { rows } = await admin.query<{ count: number }>(
          `select count(*)::integer from pg_stat_activity
            where application_name = 'aftermeet-accept' and wait_event_type = 'Lock'`,
        );
        return rows[0]?.count;
      };
      await expect.poll(countWaiting, { interval: 50 }).toBe(0);
      await admin.query('rollback');
      await admin.end();
      await expectRecovery(inbox);
    });

    it('accepts deliveries while refusals cannot be stored', async () => {
      const admin = new pg.Client(keeper.kind === 'postgres' ? keeper.poolConfig('work') : {});
      await admin.connect();
      await admin.query('begin');
      await admin.query('lock table aftermeet.refusals in access exclusive mode');
      const refusal = { endpoint: 'e', receivedAt: 'r', reason: 'wrong_shape', bytes: 4, bodySha256: 'ab' };
      const others = Promise.allSettled(
        Array.from({ length: 300 }, () => [inbox.recordRefusal(refusal), inbox.ping()]).flat(),
      );
      expect(await acceptOne(inbox)).toBe('accepted');
      await admin.query('rollback');
      await admin.end();
      await others;
    });

    it('lets a worker that was started while the server is away begin when it is back', async () => {
      const killed = postmasterOf();
      process.kill(killed, 'SIGKILL');
      const taken: string[] = [];
      const worker = startTaking(backend, taken);
      await expectRestart(killed);
      await addEffectAndWait(backend, taken, 'late');
      await worker.close();
    });

    it('keeps a worker going through a crash of the server', async () => {
      const taken: string[] = [];
      const worker = startTaking(backend, taken);
      await addEffectAndWait(backend, taken, 'before');
      const killed = postmasterOf();
      process.kill(killed, 'SIGKILL');
      await expectRestart(killed);
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
  const queue = await createJobQueue(backend);
  await queue.addEffects([
    {
      job: {
        effectKey: id,
        destination: 'slack',
        recipe: 'slack-recap',
        target: 'C1',
        part: 0,
        event: { kind: 'k', meetingId: 'm', occurrence: 'o', endpoint: 'default', receivedAt: 'r' },
      },
    },
  ]);
  if (taken !== undefined) await expect.poll(() => taken, { timeout: 60_000, interval: 20 }).toContain(id);
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
    { destination: 'slack', concurrency: 2, log },
  );
}
