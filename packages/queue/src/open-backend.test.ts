import { createServer } from 'node:net';

import {
  describeEachStore,
  openTestStore,
  type RedisServer,
  startRedisServer,
  type TestStore,
} from '@aftermeet/test/support';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Log, openBackend, silentLog } from './index.ts';

async function findWarnings(queueUrl: string): Promise<string[]> {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields, text) => warnings.push(text) };
  const backend = await openBackend(queueUrl, { log });
  await backend.close();
  return warnings;
}

describe('opening a backend', () => {
  it.each([
    ['kafka://me:secret@host', 'the queue address is wrong: found the scheme kafka:'],
    ['redis://me:secret@127.0.0.1:1', "Redis at redis://…@127.0.0.1:1 can't be used: connect ECONNREFUSED"],
    [
      'postgres://me:secret@127.0.0.1:1/a',
      "PostgreSQL at postgres://…@127.0.0.1:1/a can't be used: connect ECONNREFUSED",
    ],
  ])('%s is one clear error', async (queueUrl, message) => {
    const error: unknown = await openBackend(queueUrl, { log: silentLog }).catch((reason: unknown) => reason);
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain('secret');
  });

  it('refuses a namespace that could not be a schema', async () => {
    await expect(openBackend('redis://127.0.0.1:1', { log: silentLog, namespace: 'a"b' })).rejects.toThrow(
      'expected 1 to 40 lower-case letters, digits and _',
    );
  });

  it.concurrent.each(['redis', 'postgres'])('gives up on a %s server that never answers', async (scheme) => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const beganMs = performance.now();
    await expect(openBackend(`${scheme}://127.0.0.1:${port}`, { log: silentLog })).rejects.toThrow(
      "can't be used",
    );
    expect(performance.now() - beganMs).toBeLessThan(6500);
    silent.close();
  });
});

describeEachStore(
  'the settings of a server',
  () => {
    let server: RedisServer;
    let admin: Redis;
    beforeAll(async () => {
      server = await startRedisServer();
      admin = new Redis(server.url);
    });
    afterAll(async () => {
      admin.disconnect();
      await server.stop();
    });

    it('are fine as they should be', async () => {
      expect(await findWarnings(server.url)).toEqual([]);
    });

    it('are warned of when jobs could be evicted or forgotten', async () => {
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru', 'appendonly', 'no');
      expect(await findWarnings(server.url)).toEqual([
        'this Redis may evict jobs when its memory is full: set maxmemory-policy noeviction',
        'this Redis forgets accepted deliveries when it crashes: set appendonly yes',
      ]);
    });

    it('are warned of when writes are not synced', async () => {
      await admin.config('SET', 'maxmemory-policy', 'noeviction', 'appendonly', 'yes', 'appendfsync', 'no');
      expect(await findWarnings(server.url)).toEqual([
        'this Redis does not say when accepted deliveries reach the disk: set appendfsync everysec or always',
      ]);
    });

    it('are said to be unknown when the server does not show them', async () => {
      await admin.acl('SETUSER', 'guest', 'on', '>guest', '~*', '&*', '+@all', '-config');
      const url = server.url.replace('redis://', 'redis://guest:guest@');
      expect(await findWarnings(url)).toEqual([
        'this Redis does not show its settings: make sure that maxmemory-policy is noeviction and that persistence (appendonly yes) is on',
      ]);
    });
  },
  ['redis'],
);

describeEachStore(
  'a PostgreSQL that is given',
  (kind) => {
    let store: TestStore;
    let admin: pg.Client;
    beforeAll(async () => {
      store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      if (backend.kind !== 'postgres') throw new Error('this store is a PostgreSQL');
      admin = new pg.Client(backend.poolConfig('work'));
      await admin.connect();
    });
    afterAll(async () => {
      await admin.end();
      await store.dispose();
    });

    it('is opened again without taking a lock that others wait for', async () => {
      await admin.query('begin');
      // As VACUUM does: `create index` waits for it, and writes wait behind that.
      await admin.query('lock table aftermeet.marks, aftermeet.announcements in share update exclusive mode');
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      await admin.query('rollback');
      await backend.close();
    });

    it('is opened by many processes at once', async () => {
      const open = () => openBackend(store.queueUrl, { log: silentLog, namespace: 'fresh' });
      const opened = await Promise.all([open(), open(), open(), open()]);
      for (const backend of opened) await backend.close();
    });

    it('gets what is missing, and the function of this release in the place of another', async () => {
      const readComment = async (): Promise<unknown> => {
        const { rows } = await admin.query<{ comment: string }>(
          `select obj_description(oid, 'pg_proc') as comment from pg_proc where proname = 'accept_deliveries_3'`,
        );
        return rows[0]?.comment;
      };
      const comment = await readComment();
      expect(comment).toMatch(/^[0-9a-f]{64}$/);
      await admin.query(`drop index aftermeet.marks_expiry; drop table aftermeet.refusals;
        comment on function aftermeet.accept_deliveries_3 is 'another'`);
      await (await openBackend(store.queueUrl, { log: silentLog })).close();
      expect(await readComment()).toBe(comment);
      const { rowCount } = await admin.query(
        `select 1 where to_regclass('aftermeet.marks_expiry') is not null
           and to_regclass('aftermeet.refusals') is not null`,
      );
      expect(rowCount).toBe(1);
    });

    it('gives up before its caller does, on a lock and on anything else', async () => {
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      const accept = new pg.Client(backend.kind === 'postgres' ? backend.poolConfig('accept') : {});
      await accept.connect();
      const { rows } = await accept.query<object>(
        `select current_setting('statement_timeout') as "any", proconfig as "function"
           from pg_proc where proname = 'accept_deliveries_3' and pronamespace = 'aftermeet'::regnamespace`,
      );
      expect(rows).toEqual([{ any: '800ms', function: ['enable_seqscan=off', 'lock_timeout=700ms'] }]);
      await accept.end();
      await backend.close();
    });

    it('is warned of when it forgets at a crash what it confirmed', async () => {
      expect(await findWarnings(store.queueUrl)).toEqual([]);
      await admin.query(
        `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
      );
      expect(await findWarnings(store.queueUrl)).toEqual([
        'this PostgreSQL forgets the last accepted deliveries when it crashes: set synchronous_commit = on',
      ]);
    });
  },
  ['postgres'],
);
