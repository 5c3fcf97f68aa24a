// A Redis and an embedded PostgreSQL of our own in temporary folders, on a core beside the measured one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import { openBackend, silentLog } from '../../packages/queue/dist/index.js';
import { withFolder } from '../harness/processes.mjs';
import { findRedis, openStore } from '../harness/stores.mjs';
import { onMachine } from './figures.mjs';
import { moveToCores, readCpuMicros } from './processes.mjs';

const stores = { redis: startRedis, embedded: startEmbedded };

/** Runs `work({ store, cores })` on each store, one after the other. Where there is no Redis, its part is left out. */
export async function onStores(title, work) {
  const figures = {};
  const lines = [];
  for (const kind of Object.keys(stores)) {
    if (kind === 'redis' && findRedis() === undefined) {
      lines.push(`${title} on Redis: left out, there is no redis-server here`);
      continue;
    }
    const result = await onMachine((cores) =>
      withStore(kind, cores.others, (store) => work({ store, cores })),
    );
    figures[kind] = result.figures;
    lines.push(...result.lines);
  }
  return { figures, lines };
}

/** Runs `work` with a store of its own. */
export function withStore(kind, cores, work) {
  return withFolder(async (folder) => {
    const { close, ...store } = await stores[kind](folder, cores);
    try {
      return await work({ kind, ...store });
    } finally {
      await close();
    }
  });
}

/** Append-only file, flushed every second, nothing evicted. */
async function startRedis(folder, cores) {
  const { queueUrl: url, admin, pid, close, faults } = await openStore('redis', folder, { sync: 'everysec' });
  moveToCores(pid(), cores);
  const read = async (section, name) =>
    Number(new RegExp(`^${name}:(.*)\r$`, 'm').exec(await admin.info(section))?.[1]);

  /** Waits for the rewrite of the file: it would otherwise run beside a measurement. */
  async function settle() {
    const isRewriting = async () =>
      (await read('persistence', 'aof_rewrite_in_progress')) > 0 ||
      (await read('persistence', 'aof_rewrite_scheduled')) > 0;
    while (await isRewriting()) await pause(50);
  }

  return {
    name: 'Redis (appendfsync everysec)',
    url,
    settle,
    /** Of the server itself, without a child that rewrites the file. */
    readCpuMicros: async () =>
      ((await read('cpu', 'used_cpu_sys')) + (await read('cpu', 'used_cpu_user'))) * 1e6,
    /** Takes everything out, the file included. */
    async empty() {
      await admin.flushall();
      await settle();
      await admin.bgrewriteaof();
      await settle();
    },
    /** Where BullMQ finds the store. */
    bullmq: { redisUrl: url },
    async close() {
      close();
      await faults.find(({ name }) => name === 'store killed').begin();
    },
  };
}

async function startEmbedded(folder, cores) {
  const url = `embedded:${folder}/queue`;
  const backend = await openBackend(url, { namespace: 'keeper', log: silentLog });
  const pid = Number(readFileSync(join(folder, 'queue/cluster/data/postmaster.pid'), 'utf8').split('\n')[0]);
  moveToCores(pid, cores);
  const { host, port, user, database, password } = backend.poolConfig('work');
  const address = { host, port, user, database, password };
  const client = new pg.Client({ ...address, application_name: 'bench' });
  client.on('error', () => {});
  await client.connect();
  const settle = () => client.query('checkpoint');

  return {
    name: 'embedded PostgreSQL',
    url,
    settle,
    readCpuMicros: async () => readCpuMicros(pid),
    /** Takes out what the namespaces of earlier measurements hold. */
    async empty() {
      const { rows } = await client.query(
        `select nspname as name from pg_namespace where nspname ~ '^b[0-9]+(_queue)?$'`,
      );
      for (const { name } of rows) await client.query(`drop schema "${name}" cascade`);
      await settle();
    },
    bullmq: { postgres: address },
    async close() {
      await client.end();
      await backend.close();
    },
  };
}
