import { spawn } from 'node:child_process';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';

import type { Binaries } from './binaries.ts';
import type { Transport } from './cluster.ts';
import { runProgram } from './run-program.ts';
import type { ServerHome } from './server-home.ts';
import { makeSocketFolder } from './socket-folder.ts';

/** A server process that was started. */
export interface StartedServer {
  /** What it said, once it has ended; `undefined` as long as it runs. */
  lastWords(): string | undefined;
}

/** What was measured as small and enough; what durability needs is said although it is the default. */
const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // A worker takes up to about 50 when everything is busy, a receiver 5, a command 10; most are idle, and then closed.
  max_connections: '200',
  shared_buffers: '32MB',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  max_parallel_workers: '0',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log must not hold what was stored: no statements, no values.
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Starts the server as a process of its own that outlives us; its output goes to a file. That it was
 * started does not mean that it answers: try to connect until it has ended.
 */
export async function startServer(
  home: ServerHome,
  binaries: Binaries,
  transport: Transport,
): Promise<StartedServer> {
  const listen =
    transport === 'unix'
      ? { listen_addresses: '', unix_socket_directories: await makeSocketFolder(home), port: '5432' }
      : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(await choosePort(home)) };
  const words = Object.entries({ ...settings, ...listen }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const run = { user: home.user, folder: home.folder, environment: binaries.environment };
  if (process.platform === 'win32') {
    // Only pg_ctl gives up an administrator's rights, which the server refuses to run with.
    const start = ['start', '--pgdata', home.data, '--log', home.logFile, '--options', words.join(' ')];
    await runProgram(binaries.pgCtl, start, run);
    return { lastWords: () => undefined };
  }

  const log = await open(home.logFile, 'a', 0o600);
  const { size } = await log.stat();
  const child = spawn(binaries.postgres, ['-D', home.data, ...words], {
    ...home.user,
    cwd: home.folder,
    env: binaries.environment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  let lastWords: string | undefined;
  child.once('error', (error) => {
    lastWords = `${binaries.postgres} could not be run: ${error.message}`;
  });
  child.once('exit', () => {
    readFrom(home.logFile, size).then(
      (said) => {
        lastWords = said;
      },
      (error: unknown) => {
        lastWords = `it ended, and its log can't be read: ${String(error)}`;
      },
    );
  });
  child.unref();
  await log.close();
  return { lastWords: () => lastWords };
}

/** Asks a server to end at once: sessions are cut, everything committed stays. */
export async function stopServer(home: ServerHome, binaries: Binaries, pid: number): Promise<void> {
  if (process.platform === 'win32') {
    await runProgram(binaries.pgCtl, ['stop', '--mode=fast', '--pgdata', home.data], {
      user: home.user,
      folder: home.folder,
      environment: binaries.environment,
    });
    return;
  }
  process.kill(pid, 'SIGINT');
}

async function readFrom(file: string, position: number): Promise<string> {
  const { size } = await stat(file);
  const start = Math.max(position, size - 2000);
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.subarray(0, bytesRead).toString().trim();
  } finally {
    await handle.close();
  }
}

/** The port of the last time where it is free: the pools of other processes still point to it. */
async function choosePort(home: ServerHome): Promise<number> {
  const file = path.join(home.folder, 'port');
  const last = Number(await readFile(file, 'utf8').catch(() => '0')); // None at the first start.
  const port = await findFreePort(last).catch(() => findFreePort(0));
  await writeFile(file, `${port}\n`);
  return port;
}

function findFreePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // A TCP server's address is always this.
      server.close(() => resolve(port));
    });
  });
}
