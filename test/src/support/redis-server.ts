import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';

import { findFreePort } from './free-port.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { waitUntilUp } from './wait-until-up.ts';

/** A Redis (or Valkey) of our own that a test may stop, kill and start again. */
export interface RedisServer {
  readonly url: string;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** SIGKILL, as a crash does it. */
  kill(): Promise<void>;
  /** Starts again on the same port with the same data. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** The first of redis-server and valkey-server on the PATH. */
export function findRedisServer(): string | undefined {
  for (const name of ['redis-server', 'valkey-server']) {
    for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
      const program = path.join(folder, name);
      try {
        accessSync(program, constants.X_OK);
        return program;
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}

/** Starts a server on a free port in a temporary folder: append-only file on, nothing evicted. */
export async function startRedisServer(moreSettings: readonly string[] = []): Promise<RedisServer> {
  const program = findRedisServer();
  if (program === undefined) throw new Error('no redis-server and no valkey-server on the PATH');
  const folder = await makeTemporaryFolder();
  const port = await findFreePort();
  const words = ['--port', port, '--bind', '127.0.0.1', '--dir', folder.path, '--databases', 1000];
  const settings = [
    '--pidfile',
    path.join(folder.path, 'redis.pid'),
    '--save',
    '',
    '--appendonly',
    'yes',
    '--maxmemory-policy',
    'noeviction',
    ...moreSettings,
  ];
  let child: ChildProcess;

  const start = async (): Promise<void> => {
    child = spawn(program, [...words, ...settings].map(String), { stdio: 'ignore' });
    await waitUntilUp('the Redis server', child, () => answers(port));
  };
  const kill = async (): Promise<void> => {
    await end(child, 'SIGKILL');
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    signal: (name) => void child.kill(name),
    kill,
    start,
    stop: async () => {
      await kill();
      folder.remove();
    },
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** A server that still loads its data takes connections, but answers PING with an error. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const finish = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.once('data', (data) => finish(data.toString().startsWith('+PONG')));
    socket.once('error', () => finish(false));
  });
}
