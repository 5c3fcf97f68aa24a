// A Redis and an embedded PostgreSQL of our own in temporary folders, on a core beside the measured one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Redis } from 'ioredis';
import pg from 'pg';

import { openBackend, silentLog } from '../../packages/queue/dist/index.js';
import { findFreePort } from '../harness/processes.mjs';
import { onMachine } from './figures.mjs';
import { atExit, listFamily, makeFolder, moveToCores, onCores, readCpuMicros } from './processes.mjs';

const stores = { redis: startRedis, embedded: startEmbedded };

/** Runs `work({ store, cores })` on each store, one after the other. Where there is no Redis, its part is left out. */
export async function onStores(title, work, names = Object.keys(stores)) {
  const figures = {};
  const lines = [];
  for (const name of names) {
    if (name === 'redis' && findRedis() === undefined) {
      lines.push(`${title} on Redis: left out, there is no redis-server here`);
      continue;
    }
    const result = await onMachine(async (cores) => {
      const store = await startStore(name, cores.others);
      try {
        return await work({ store, cores });
      } finally {
        await store.stop();
      }
    });
    figures[name] = result.figures;
    lines.push(...result.lines);
  }
  return { figures, lines };
}

export function startStore(kind, cores) {
  return stores[kind](cores);
}

function findRedis() {
  return ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
}

/** Append-only file, flushed every second, nothing evicted. */
async function startRedis(cores) {
  const folder = makeFolder();
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const words = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  const settings = ['--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
  const [program, ...rest] = onCores([findRedis(), ...words.map(String), ...settings], cores);
  const child = spawn(program, rest, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const clean = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const keep = atExit(clean);
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null });
  client.on('error', () => {});
  await client.ping();
  const read = async (section, name) =>
    Number(new RegExp(`^${name}:(.*)\r$`, 'm').exec(await client.info(section))?.[1]);

  /** Waits for the rewrite of the file: it would otherwise run beside a measurement. */
  async function settle() {
    const isRewriting = async () =>
      (await read('persistence', 'aof_rewrite_in_progress')) > 0 ||
      (await read('persistence', 'aof_rewrite_scheduled')) > 0;
    while (await isRewriting()) await pause(50);
  }

  return {
    kind: 'redis',
    name: 'Redis (appendfsync everysec)',
    url,
    client,
    settle,
    /** Of the server itself, without a child that rewrites the file. */
    readCpuMicros: async () =>
      ((await read('cpu', 'used_cpu_sys')) + (await read('cpu', 'used_cpu_user'))) * 1e6,
    /** Takes everything out, the file included. */
    async empty() {
      await client.flushall();
      await settle();
      await client.bgrewriteaof();
      await settle();
    },
    /** Where BullMQ finds the store. */
    bullmq: { redisUrl: url },
    async stop() {
      keep();
      client.disconnect();
      child.kill('SIGKILL');
      await ended;
      clean();
    },
  };
}

async function startEmbedded(cores) {
  const folder = makeFolder();
  const url = `embedded:${folder}/queue`;
  const backend = await openBackend(url, { namespace: 'keeper', log: silentLog });
  const pid = Number(readFileSync(join(folder, 'queue/cluster/data/postmaster.pid'), 'utf8').split('\n')[0]);
  // Whatever it starts from now on stays there as well.
  moveToCores(listFamily(pid), cores);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const keep = atExit(() => {
    // It would outlive this process.
    process.kill(pid, 'SIGQUIT');
    remove();
  });
  const { host, port, user, database, password } = backend.poolConfig('work');
  const address = { host, port, user, database, password };
  const client = new pg.Client({ ...address, application_name: 'bench' });
  client.on('error', () => {});
  await client.connect();

  return {
    kind: 'embedded',
    name: 'embedded PostgreSQL',
    url,
    client,
    /** Of the server and of all its processes, those that have ended included. */
    readCpuMicros: () => readCpuMicros(listFamily(pid)),
    /** Takes out what the namespaces of earlier measurements hold. */
    async empty() {
      const { rows } = await client.query(
        `select nspname as name from pg_namespace where nspname ~ '^b[0-9]+(_queue)?$'`,
      );
      for (const { name } of rows) await client.query(`drop schema "${name}" cascade`);
      await client.query('checkpoint');
    },
    settle: () => client.query('checkpoint'),
    bullmq: { postgres: address },
    async stop() {
      keep();
      await client.end();
      await backend.close();
      remove();
    },
  };
}
