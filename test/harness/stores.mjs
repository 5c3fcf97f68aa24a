import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { checkEmbeddedSupport } from '@aftermeet/queue';
import { createPostgresBackend, Queue, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';

import { prepareBinaries } from '../../packages/queue/dist/embedded/binaries.js';
import { findServerHome } from '../../packages/queue/dist/embedded/server-home.js';
import { makeCluster, startServer } from '../../packages/queue/dist/embedded/server.js';
import {
  continueFamily,
  findFreePort,
  findProcessesIn,
  signalAll,
  stopFamily,
  watchFolder,
} from './processes.mjs';

const silentLog = { debug() {}, info() {}, warn() {}, error() {} };

const expectedSync = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

const stores = {
  redis: { open: openRedisStore, whyNot: whyNoRedis },
  postgres: { open: openPostgresStore, whyNot: whyNoPostgres },
  embedded: { open: openEmbeddedStore, whyNot: whyNoPostgres },
};

/** Why a store can't be finished on this machine, or nothing. */
export function whyNot(kind) {
  if (process.platform !== 'linux') return 'the suite reads /proc and signals processes as Linux has them';
  return stores[kind].whyNot();
}

/** Opens a store of our own in a folder; it is gone with the folder. */
export function openStore(kind, folder) {
  return stores[kind].open(folder);
}

/** The first of redis-server and valkey-server on the PATH. */
function findProgram() {
  for (const name of ['redis-server', 'valkey-server']) {
    for (const folder of (process.env.PATH ?? '').split(':')) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}

/** Why this store can't be finished here, or nothing. */
function whyNoRedis() {
  return findProgram() === undefined
    ? 'no redis-server and no valkey-server on the PATH (apt-get install redis-server)'
    : undefined;
}

/**
 * A Redis of our own: append-only file on, synced before each answer, nothing evicted. With `everysec` it holds writes
 * back while a sync to a busy disk is under way, and answers all the same: a kill in that moment takes them.
 */
async function openRedisStore(parent) {
  const folder = join(parent, 'redis');
  mkdirSync(folder);
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const words = [
    '--port',
    port,
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ];
  let server;
  const start = async () => {
    server = spawn(findProgram(), [...words, '--maxmemory-policy', 'noeviction'].map(String), {
      cwd: folder,
      stdio: 'ignore',
    });
    while ((await admin.ping().catch(() => '')) !== 'PONG') await pause(5);
  };
  const admin = new Redis(url, {
    retryStrategy: () => 10,
    maxRetriesPerRequest: null,
    enableOfflineQueue: false,
    lazyConnect: true,
  });
  admin.on('error', () => undefined); // Its commands reject as well.
  await admin.connect().catch(() => undefined); // Not there yet: it tries again by itself.
  await start();

  const readSetting = async (name) => (await admin.config('GET', name))[1];
  return {
    kind: 'redis',
    queueUrl: url,
    readSync: async () => ({
      appendonly: await readSetting('appendonly'),
      appendfsync: await readSetting('appendfsync'),
    }),
    expectedSync: { appendonly: 'yes', appendfsync: 'always' },
    async withQueue(use) {
      const client = new Redis(url, { maxRetriesPerRequest: null });
      const queue = new Queue('events', { connection: client, prefix: '{aftermeet}' });
      try {
        return await use(queue);
      } finally {
        await queue.close();
        client.disconnect();
      }
    },
    faults: [
      {
        name: 'store stopped',
        begin: () => server.kill('SIGSTOP'),
        end: () => server.kill('SIGCONT'),
      },
      {
        name: 'store killed',
        begin: async () => {
          server.kill('SIGKILL');
          await once(server, 'exit');
        },
        end: start,
      },
      {
        name: 'store out of memory',
        begin: () => admin.config('SET', 'maxmemory', '1'),
        end: () => admin.config('SET', 'maxmemory', '0'),
        canRead: true,
      },
      {
        name: 'store read-only',
        begin: () => admin.replicaof('127.0.0.1', '1'),
        end: () => admin.replicaof('NO', 'ONE'),
        canRead: true,
      },
      {
        name: 'store holds its answers',
        begin: (ms) => admin.client('PAUSE', ms + 5, 'ALL'),
        end: () => admin.ping(),
      },
    ],
    async close() {
      admin.disconnect();
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}

/**
 * A PostgreSQL that is given: receivers only know its address, and start it never. It is made of npm's binaries, which
 * the embedded queue brings.
 */
async function openPostgresStore(parent) {
  const folder = join(parent, 'postgres');
  mkdirSync(folder, { mode: 0o755 });
  const home = await findHome(folder);
  const binaries = await prepareBinaries(home);
  await makeCluster(home, binaries, 'unix');
  await startPostgres(home, binaries);
  const address = addressOf(home);
  return {
    kind: 'postgres',
    queueUrl: `postgres://${address.user}:${encodeURIComponent(address.password ?? '')}@localhost/${address.database}?host=${encodeURIComponent(address.host)}`,
    readSync: () => readSync(address),
    expectedSync,
    withQueue: (use) => withPostgresQueue(address, use),
    faults: [
      ...listPostgresFaults({ address: () => address, postmaster: () => findPostmaster(home) }),
      {
        name: 'store killed',
        begin: () => kill(home),
        end: () => startPostgres(home, binaries),
      },
    ],
    close: () => kill(home),
  };
}

/** A new server does not start as long as children of the old one live. */
async function kill(home) {
  signalAll([findPostmaster(home)], 'SIGKILL');
  while (findProcessesIn(home.data).length > 0) await pause(5);
}

async function startPostgres(home, binaries) {
  for (let tries = 0; tries < 200; tries += 1) {
    const server = await startServer(home, binaries, 'unix');
    while (server.lastOutput() === undefined) {
      await pause(10);
      try {
        await ask(addressOf(home), 'select 1');
        return;
      } catch {
        // Not yet.
      }
    }
    if (!/lock file|shared memory/.test(server.lastOutput()))
      throw new Error(`PostgreSQL ended: ${server.lastOutput()}`);
  }
  throw new Error('PostgreSQL does not start');
}

/** Why no PostgreSQL can be finished here, or nothing. */
function whyNoPostgres() {
  const support = checkEmbeddedSupport();
  return support.ok ? undefined : support.problem;
}

/** The PostgreSQL that receivers start by themselves, and start again when it dies. */
async function openEmbeddedStore(parent) {
  const folder = join(parent, 'embedded');
  mkdirSync(folder, { mode: 0o755 });
  const home = await findHome(folder);
  const address = () => addressOf(home);
  return {
    kind: 'embedded',
    queueUrl: `embedded:${folder}`,
    readSync: () => readSync(address()),
    expectedSync,
    withQueue: (use) => withPostgresQueue(address(), use),
    faults: [
      ...listPostgresFaults({ address, postmaster: () => findPostmaster(home) }),
      {
        name: 'store killed',
        // The receivers start it again at once: there is no time in which it is surely away.
        begin: () => signalAll([findPostmaster(home)], 'SIGKILL'),
        end: () => undefined,
        isBroughtBack: true,
      },
    ],
    close: () => undefined,
  };
}

/** Says one thing to a server, on a connection of its own. */
async function ask(address, ...statements) {
  const client = new pg.Client(address);
  client.on('error', () => undefined); // The query that runs rejects as well.
  await client.connect();
  try {
    const answers = [];
    for (const statement of statements) answers.push((await client.query(statement)).rows[0]);
    return answers;
  } finally {
    await client.end();
  }
}

async function readSync(address) {
  const rows = await ask(
    address,
    ...[...Object.keys(expectedSync), 'wal_sync_method'].map((name) => `show ${name}`),
  );
  return Object.assign({}, ...rows);
}

/** What may happen to any PostgreSQL, given or embedded. */
function listPostgresFaults({ address, postmaster }) {
  let holder;
  return [
    {
      name: 'store stopped',
      begin: () => stopFamily(postmaster()),
      end: () => continueFamily(postmaster()),
    },
    {
      name: 'store read-only',
      begin: async () => {
        await ask(
          address(),
          'alter system set default_transaction_read_only = on',
          'select pg_reload_conf()',
        );
        // Sessions take it over before their next statement.
        await untilSetting(address(), 'on');
      },
      end: () =>
        ask(
          address(),
          'set default_transaction_read_only = off',
          'alter system set default_transaction_read_only = off',
          'select pg_reload_conf()',
        ),
      canRead: true,
    },
    {
      name: 'store holds its answers',
      begin: async () => {
        holder = new pg.Client(address());
        holder.on('error', () => undefined);
        await holder.connect();
        await holder.query('begin');
        await holder.query('lock table aftermeet_queue.job in access exclusive mode');
      },
      // A caller that has given up must not leave a waiting session behind.
      inspect: async (assertions) => {
        const { rows } = await holder.query(
          `select count(*)::integer as sessions,
                  count(*) filter (where wait_event_type = 'Lock'
                                     and clock_timestamp() - query_start > interval '950 ms')::integer as stuck
             from pg_stat_activity where application_name = 'aftermeet-accept'`,
        );
        assertions.figure('sessions while the store held its answers', rows[0].sessions);
        assertions.expect(
          rows[0].stuck === 0,
          `${rows[0].stuck} sessions wait for a lock after their caller has given up`,
        );
      },
      end: async () => {
        await holder.query('rollback');
        await holder.end();
      },
      canRead: true,
      isReachable: true,
    },
  ];
}

async function untilSetting(address, wanted) {
  for (;;) {
    const [row] = await ask(address, 'show default_transaction_read_only');
    if (row.default_transaction_read_only === wanted) return;
  }
}

const { Queue: PostgresQueue } = withBackend(createPostgresBackend);

/** Where an embedded server of a folder lives; as root that may be elsewhere, and is cleaned as well. */
async function findHome(folder) {
  const home = await findServerHome(folder, silentLog);
  if (home.folder !== folder) watchFolder(home.folder);
  return home;
}

/** How to reach its server, in the words of pg. */
function addressOf(home) {
  return {
    host: readPostmasterFile(home)[4],
    port: 5432,
    user: 'aftermeet',
    database: 'postgres',
    password: readPassword(home),
    connectionTimeoutMillis: 5000,
  };
}

/** Only a server that root has started asks for one. */
function readPassword({ cluster }) {
  const file = join(cluster, 'password');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function findPostmaster(home) {
  return Number(readPostmasterFile(home)[0]);
}

async function withPostgresQueue(address, use) {
  const queue = new PostgresQueue('events', { connection: { ...address, schema: 'aftermeet_queue' } });
  queue.on('error', () => undefined); // The call that runs rejects as well.
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}

function readPostmasterFile(home) {
  return readFileSync(join(home.data, 'postmaster.pid'), 'utf8').split('\n');
}

const PAGE = 1000;

const STATES = ['waiting', 'active', 'delayed', 'completed', 'failed', 'paused', 'prioritized'];

/**
 * Every job of a queue, with the body that it carries, read by BullMQ's own Queue. Nobody may write meanwhile: pages
 * are counted from one end.
 */
export async function readBodies(queue) {
  const counts = await queue.getJobCounts(...STATES);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const bodies = [];
  for (let from = 0; from < total; from += PAGE) {
    const jobs = await queue.getJobs(STATES, from, from + PAGE - 1, true);
    for (const job of jobs) bodies.push(readBody(job.data));
  }
  return { total, bodies };
}

/** What PostgreSQL can't hold in `jsonb` is stored as JSON text. */
function readBody(data) {
  return typeof data.json === 'string' ? JSON.parse(data.json).body : data.body;
}
