import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { checkEmbeddedSupport, silentLog } from '@aftermeet/queue';
import { createPostgresBackend, Queue, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';

import { prepareBinaries } from '../../packages/queue/dist/embedded/binaries.js';
import { findServerHome } from '../../packages/queue/dist/embedded/server-home.js';
import {
  DATABASE,
  DATABASE_USER,
  makeCluster,
  readPassword,
  startServer,
} from '../../packages/queue/dist/embedded/server.js';
import {
  continueFamily,
  findFreePort,
  findProcessesIn,
  signalAll,
  stopFamily,
  watchFolder,
} from './processes.mjs';

const expectedSync = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

const stores = {
  redis: { open: openRedisStore, whyNot: whyNoRedis },
  postgres: { open: openPostgresStore, whyNot: whyNoPostgres },
  embedded: { open: openEmbeddedStore, whyNot: whyNoPostgres },
};

/** Why a store can't run on this machine, or nothing. */
export function whyNot(kind) {
  if (process.platform !== 'linux') return 'the suite reads /proc and signals processes as Linux has them';
  return stores[kind].whyNot();
}

/** Opens a store of our own in a folder; its processes end with the folder. `sync` is for a Redis. */
export function openStore(kind, folder, { sync = 'always' } = {}) {
  return stores[kind].open(folder, sync);
}

/** The first of both that is there. */
export function findRedis() {
  return ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
}

function whyNoRedis() {
  return findRedis() === undefined
    ? 'no redis-server and no valkey-server on the PATH (apt-get install redis-server)'
    : undefined;
}

/**
 * A Redis of our own: append-only file on, synced before each answer, nothing evicted. With `everysec` it holds writes
 * back while a sync to a busy disk is under way, and answers all the same: a kill in that moment takes them.
 */
async function openRedisStore(parent, sync) {
  const folder = join(parent, 'redis');
  mkdirSync(folder);
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const settings = `--appendonly yes --appendfsync ${sync} --maxmemory-policy noeviction`.split(' ');
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings];
  const program = findRedis();
  let server;
  const start = async () => {
    server = spawn(program, words, { cwd: folder, stdio: 'ignore' });
    while ((await admin.ping().catch(() => '')) !== 'PONG') await pause(5);
  };
  const end = async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
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
    queueUrl: url,
    admin,
    pid: () => server.pid,
    readSync: async () => ({
      appendonly: await readSetting('appendonly'),
      appendfsync: await readSetting('appendfsync'),
    }),
    expectedSync: { appendonly: 'yes', appendfsync: sync },
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
      { name: 'store stopped', begin: () => server.kill('SIGSTOP'), end: () => server.kill('SIGCONT') },
      { name: 'store killed', begin: end, end: start },
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
    close: () => admin.disconnect(),
  };
}

/**
 * A PostgreSQL that is given: receivers only know its address, and start it never. It is made of npm's binaries, which
 * the embedded queue brings.
 */
async function openPostgresStore(parent) {
  const { home } = await makeHome(parent, 'postgres');
  const binaries = await prepareBinaries(home);
  await makeCluster(home, binaries, 'unix');
  await startPostgres(home, binaries);
  const { user, password = '', host } = await addressOf(home);
  return {
    ...describePostgres(home),
    queueUrl: `postgres://${user}:${encodeURIComponent(password)}@localhost/${DATABASE}?host=${encodeURIComponent(host)}`,
    faults: [
      ...listPostgresFaults(home),
      { name: 'store killed', begin: () => kill(home), end: () => startPostgres(home, binaries) },
    ],
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
        await ask(home, 'select 1');
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

/** Why no PostgreSQL can run here, or nothing. */
function whyNoPostgres() {
  const support = checkEmbeddedSupport();
  return support.ok ? undefined : support.problem;
}

/** The PostgreSQL that receivers start by themselves, and start again when it dies. */
async function openEmbeddedStore(parent) {
  const { home, folder } = await makeHome(parent, 'embedded');
  return {
    ...describePostgres(home),
    queueUrl: `embedded:${folder}`,
    faults: [
      ...listPostgresFaults(home),
      {
        name: 'store killed',
        // The receivers start it again at once: there is no time in which it is surely away.
        begin: () => signalAll([findPostmaster(home)], 'SIGKILL'),
        end: () => undefined,
        isBroughtBack: true,
      },
    ],
  };
}

/** What can be read in any PostgreSQL, given or embedded. */
function describePostgres(home) {
  const settings = [...Object.keys(expectedSync), 'wal_sync_method'];
  return {
    readSync: async () => Object.assign({}, ...(await ask(home, ...settings.map((name) => `show ${name}`)))),
    expectedSync,
    async withQueue(use) {
      const connection = { ...(await addressOf(home)), schema: 'aftermeet_queue' };
      const queue = new PostgresQueue('events', { connection });
      queue.on('error', () => undefined); // The call that runs rejects as well.
      try {
        return await use(queue);
      } finally {
        await queue.close();
      }
    },
  };
}

/** Says something to a server, on a connection of its own. */
async function ask(home, ...statements) {
  const client = await connect(home);
  try {
    const answers = [];
    for (const statement of statements) answers.push((await client.query(statement)).rows[0]);
    return answers;
  } finally {
    await client.end();
  }
}

async function connect(home) {
  const client = new pg.Client(await addressOf(home));
  client.on('error', () => undefined); // The query that runs rejects as well.
  await client.connect();
  return client;
}

/** What may happen to any PostgreSQL, given or embedded. */
function listPostgresFaults(home) {
  const setReadOnly = (value) => [
    `alter system set default_transaction_read_only = ${value}`,
    'select pg_reload_conf()',
  ];
  let holder;
  return [
    {
      name: 'store stopped',
      begin: () => stopFamily(findPostmaster(home)),
      end: () => continueFamily(findPostmaster(home)),
    },
    {
      name: 'store read-only',
      begin: async () => {
        await ask(home, ...setReadOnly('on'));
        // Sessions take it over before their next statement.
        const show = 'show default_transaction_read_only';
        while ((await ask(home, show))[0].default_transaction_read_only !== 'on');
      },
      end: () => ask(home, 'set default_transaction_read_only = off', ...setReadOnly('off')),
      canRead: true,
    },
    {
      name: 'store holds its answers',
      begin: async () => {
        holder = await connect(home);
        await holder.query('begin');
        await holder.query('lock table aftermeet_queue.job in access exclusive mode');
      },
      // A caller that has given up must not leave a waiting session behind.
      inspect: async (round) => {
        const { rows } = await holder.query(
          `select count(*)::integer as sessions,
                  count(*) filter (where wait_event_type = 'Lock'
                                     and clock_timestamp() - query_start > interval '950 ms')::integer as stuck
             from pg_stat_activity where application_name = 'aftermeet-accept'`,
        );
        round.note('sessions while the store held its answers', rows[0].sessions);
        round.expect(
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

const { Queue: PostgresQueue } = withBackend(createPostgresBackend);

/** A folder and where an embedded server of it lives; as root that may be elsewhere, and is cleaned as well. */
async function makeHome(parent, name) {
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o755 });
  const home = await findServerHome(folder, silentLog);
  if (home.folder !== folder) watchFolder(home.folder);
  return { home, folder };
}

/** How to reach its server, in the words of pg. */
async function addressOf(home) {
  return {
    host: readPostmasterFile(home)[4],
    port: 5432,
    user: DATABASE_USER,
    database: DATABASE,
    password: await readPassword(home),
    connectionTimeoutMillis: 5000,
  };
}

function findPostmaster(home) {
  return Number(readPostmasterFile(home)[0]);
}

function readPostmasterFile(home) {
  return readFileSync(join(home.data, 'postmaster.pid'), 'utf8').split('\n');
}

const PAGE = 1000;

const STATES = ['waiting', 'active', 'delayed', 'completed', 'failed', 'paused', 'prioritized'];

/**
 * Every job of a queue, with the body that it carries, read by BullMQ's own Queue. There must be no writer meanwhile: pages
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
