import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

import { findFreePort } from '../processes/free-port.mjs';

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

/** Why this store can't be played here, or nothing. */
export function whyNoRedis() {
  return findProgram() === undefined
    ? 'no redis-server and no valkey-server on the PATH (apt-get install redis-server)'
    : undefined;
}

/**
 * A Redis of our own: append-only file on, synced before each answer, nothing evicted. With `everysec` it holds writes
 * back while a sync to a busy disk is under way, and answers all the same: a kill in that moment takes them.
 */
export async function openRedisStore(parent) {
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
  await admin.connect().catch(() => undefined); // Nobody is there yet: it tries again by itself.
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
