import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { findFreePort } from './free-port.ts';
import { findRedisServer, startRedisServer } from './redis-server.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** A master with a replica, and one sentinel that puts the replica in its place when it is gone. */
export interface WatchedRedis {
  /** Of the sentinel. */
  readonly port: number;
  /** Its name is `main`. */
  killMaster(): Promise<void>;
  stop(): Promise<void>;
}

/** Resolves when the sentinel knows the replica. */
export async function startWatchedRedis(): Promise<WatchedRedis> {
  const program = findRedisServer();
  if (program === undefined) throw new Error('no redis-server and no valkey-server on the PATH');
  const folder = await makeTemporaryFolder();
  const master = await startRedisServer();
  const masterPort = new URL(master.url).port;
  const replica = await startRedisServer(['--replicaof', `127.0.0.1 ${masterPort}`]);
  const port = await findFreePort();
  const config = join(folder.path, 'sentinel.conf');
  await writeFile(
    config,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder.path}`,
      `sentinel monitor main 127.0.0.1 ${masterPort} 1`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 3000',
      '',
    ].join('\n'),
  );
  const sentinel = spawn(program, [config, '--sentinel'], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    await endProcess(sentinel);
    await Promise.all([master.stop(), replica.stop()]);
    folder.remove();
  };
  const client = new Redis({ port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  try {
    for (let tries = 0; !(await knowsReplica(client)); tries += 1) {
      if (tries === 300) throw new Error('the sentinel does not find the replica');
      await pause(100);
    }
  } catch (error) {
    await stop();
    throw error;
  } finally {
    client.disconnect();
  }
  return { port, killMaster: () => master.kill(), stop };
}

async function knowsReplica(client: Redis): Promise<boolean> {
  const replicas = await client.call('SENTINEL', 'REPLICAS', 'main').catch(() => []);
  return Array.isArray(replicas) && JSON.stringify(replicas).includes('"master-link-status","ok"');
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
