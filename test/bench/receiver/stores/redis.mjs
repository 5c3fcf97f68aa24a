// A Redis of our own in a temporary folder: append-only file, flushed every second, nothing evicted.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { atExit } from '../../at-exit.mjs';
import { onCores } from '../../cores.mjs';

export function findRedis() {
  return ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
}

export async function startRedis(program, cores) {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  const port = await findFreePort();
  const words = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  const settings = ['--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
  const command = onCores([program, ...words.map(String), ...settings], cores);
  const child = spawn(command[0], command.slice(1), { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const clean = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  const keep = atExit(clean);
  const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null });
  client.on('error', () => {});
  await client.ping();
  const read = async (section, name) => {
    const [, value] = new RegExp(`^${name}:(.*)\r$`, 'm').exec(await client.info(section)) ?? [];
    return Number(value);
  };

  /** Waits for the rewrite of the file: it would otherwise run beside a measurement. */
  async function settle() {
    while (
      (await read('persistence', 'aof_rewrite_in_progress')) +
        (await read('persistence', 'aof_rewrite_scheduled')) >
      0
    ) {
      await pause(50);
    }
  }

  return {
    name: 'Redis (appendfsync everysec)',
    url: `redis://127.0.0.1:${port}`,
    client,
    settle,
    /** Of the server itself, without a child that rewrites the file. */
    async readCpuMicros() {
      return ((await read('cpu', 'used_cpu_sys')) + (await read('cpu', 'used_cpu_user'))) * 1e6;
    },
    readMemoryMb: async () => (await read('memory', 'used_memory')) / 1e6,
    /** Takes everything out, the file included. */
    async empty() {
      await client.flushall();
      await settle();
      await client.bgrewriteaof();
      await settle();
    },
    /** Where everything of the obvious program or of ours is, in the words of `servers`. */
    ours: (namespace) => ({ queueUrl: `redis://127.0.0.1:${port}`, namespace }),
    obvious: (namespace) => ({ redisUrl: `redis://127.0.0.1:${port}`, namespace }),
    async stop() {
      keep();
      client.disconnect();
      child.kill('SIGKILL');
      await ended;
      clean();
    },
  };
}

async function findFreePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
