import { once } from 'node:events';

import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Backend, PostgresBackend, RedisBackend } from './backend.ts';
import { openQueues } from './bullmq/queues.ts';
import { createInbox, type EventJob, openBackend, silentLog } from './index.ts';
import { openProducer } from './job-queue.ts';

// What an inbox writes must be what BullMQ's own `queue.add` writes. When these fail after an upgrade of BullMQ:
// docs/decisions/0008 says what to look at.

const log = silentLog;

/** Written together: the second of an endpoint comes after the first of another. */
const jobs: readonly { readonly id: string; readonly place: number; readonly data: EventJob }[] = [
  {
    id: 'job-1',
    place: 1,
    data: { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{"a":1}' },
  },
  {
    id: 'job-2',
    place: 1,
    data: { endpoint: 'sales', deliveryId: 'wh_2', receivedAt: '2026-11-21T09:31:00.000Z', body: '{}' },
  },
  {
    id: 'job-3',
    place: 2,
    data: { endpoint: 'default', receivedAt: '2026-11-21T09:32:00.000Z', body: '\u0000\ud800' },
  },
];

describeEachStore(
  'a job that an inbox writes',
  (kind) => {
    let store: TestStore;
    let added: Backend;
    let accepted: Backend;

    beforeAll(async () => {
      store = await openTestStore(kind);
      added = await openBackend(store.queueUrl, { log, namespace: 'pin' });
      const queues = await openQueues(added, 'accept');
      const queue = openProducer(queues, { name: 'event' });
      for (const { id, data, place } of jobs) await queue.add({ id, data, place });
      await queues.close();

      accepted = await openBackend(store.queueUrl, { log, namespace: 'pinned' });
      const inbox = await createInbox(accepted, { log });
      await Promise.all(
        jobs.map(({ id, data }) => inbox.accept({ jobId: id, job: data, keepSeconds: 60, deliveryKey: id })),
      );
      await inbox.close();
    });
    afterAll(async () => {
      await added.close();
      await accepted.close();
      await store.dispose();
    });

    it('writes the same fields as queue.add, in the job and around it', async () => {
      const expected = await readQueue(added);
      expect(await readQueue(accepted)).toEqual(expected);
      expect(JSON.stringify(expected)).toContain('"attempts":20');
    });
  },
  ['redis', 'postgres'],
);

describeEachStore(
  'the function of ours on PostgreSQL',
  (kind) => {
    it('is written after the BullMQ functions that this database has, and wakes workers as they do', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log });
      if (backend.kind !== 'postgres') throw new Error('this store is a PostgreSQL');
      const client = new pg.Client(backend.poolConfig('work'));
      await client.connect();
      const { rows } = await client.query<{ name: string; hash: string }>(
        `select proname as name, left(encode(sha256(convert_to(prosrc, 'UTF8')), 'hex'), 16) as hash from pg_proc
          where pronamespace = 'aftermeet_queue'::regnamespace
            and proname in ('add_jobs_bulk', 'add_jobs_bulk_unlocked', 'lock_producer_queues') order by 1`,
      );
      expect(rows).toEqual([
        { name: 'add_jobs_bulk', hash: '62aab757f0460579' },
        { name: 'add_jobs_bulk_unlocked', hash: '209fb13cead529e0' },
        { name: 'lock_producer_queues', hash: '9c6345b1d924ca90' },
      ]);

      await client.query('listen bullmq_jobs');
      const woken = once(client, 'notification');
      const inbox = await createInbox(backend, { log });
      await inbox.accept({
        jobId: 'job-1',
        job: { endpoint: 'e', receivedAt: 'r', body: '{}' },
        keepSeconds: 60,
      });
      expect(await woken).toMatchObject([{ channel: 'bullmq_jobs', payload: 'events' }]);
      await inbox.close();
      await client.end();
      await backend.close();
      await store.dispose();
    });
  },
  ['postgres'],
);

/** Everything BullMQ keeps of the queue `events` but what the opening of a queue writes; names of namespaces and points of time are levelled. */
async function readQueue(backend: Backend): Promise<unknown> {
  const found = backend.kind === 'redis' ? await readRedis(backend) : await readPostgres(backend);
  const text = JSON.stringify(found).replaceAll(backend.namespace, 'NAMESPACE');
  return JSON.parse(text, (_key, value: unknown) => {
    // A point of time of these years, in milliseconds.
    return /^1[789]\d{11}$/.test(String(value)) ? 'TIME' : value;
  });
}

async function readRedis(backend: RedisBackend): Promise<unknown> {
  const client = backend.connect('accept');
  await once(client, 'ready');
  const found: [string, unknown][] = [];
  for (const key of (await client.keys(`{${backend.namespace}}:events:*`)).toSorted()) {
    expect(await client.pttl(key)).toBe(-1);
    switch (await client.type(key)) {
      case 'string':
        found.push([key, await client.get(key)]);
        break;
      case 'list':
        found.push([key, await client.lrange(key, 0, -1)]);
        break;
      case 'zset':
        found.push([key, await client.zrange(key, '0', '-1', 'WITHSCORES')]);
        break;
      case 'stream':
        found.push([key, (await client.xrange(key, '-', '+')).map(([, fields]) => fields)]);
        break;
      default: {
        // The order of JSON's members does not matter; a queue that is opened writes its version and how many events it keeps.
        const { opts = '{}', version, 'opts.maxLenEvents': kept, ...fields } = await client.hgetall(key);
        expect(version).toBe(version === undefined ? version : 'bullmq:6.7.0');
        if (version !== undefined) expect(kept).toBe('100');
        found.push([key, { ...fields, opts: JSON.parse(opts) }]);
      }
    }
  }
  client.disconnect();
  return found;
}

async function readPostgres(backend: PostgresBackend): Promise<unknown> {
  const client = new pg.Client(backend.poolConfig('work'));
  await client.connect();
  const schema = `"${backend.namespace}_queue"`;
  const { rows: tables } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = $1 and tablename not in ('migration', 'meta') order by 1`,
    [`${backend.namespace}_queue`],
  );
  const found: [string, unknown][] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<object>(`select * from ${schema}.${name} order by 1, 2, 3`);
    found.push([name, rows]);
  }
  await client.end();
  return found;
}
