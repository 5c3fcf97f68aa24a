import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';

import { describeError, isCode } from '../errors.ts';
import type { Binaries } from './binaries.ts';
import { makeScramVerifier } from './scram-verifier.ts';
import {
  makePrivateFolder,
  makeSocketFolder,
  type ServerHome,
  type ServerUser,
  SOCKET_LOCK_FILE,
} from './server-home.ts';

/** A started server process. */
interface StartedServer {
  /** Its last log lines after it has ended; `undefined` while it runs. */
  lastOutput(): string | undefined;
}

/** Measured as small and sufficient. What durability needs is set although it is the default. */
const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // A busy worker uses up to about 50, a receiver 5, a command 10; idle ones are closed.
  max_connections: '200',
  shared_buffers: '32MB',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  max_parallel_workers: '0',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log must not contain stored data: no statements, no values.
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Starts the server as a detached process that survives this one; its output goes to a file. After this call it may not
 * accept connections yet.
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
    // The server refuses to run with an administrator's rights; pg_ctl drops them.
    const start = ['start', '--pgdata', home.data, '--log', home.logFile, '--options', words.join(' ')];
    await runProgram(binaries.pgCtl, start, run);
    return { lastOutput: () => undefined };
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
  let lastOutput: string | undefined;
  child.once('error', (error) => {
    lastOutput = `${binaries.postgres} could not be run: ${error.message}`;
  });
  child.once('exit', () => {
    readFrom(home.logFile, size).then(
      (said) => {
        lastOutput = said;
      },
      (error: unknown) => {
        lastOutput = `it ended, and its log can't be read: ${String(error)}`;
      },
    );
  });
  child.unref();
  await log.close();
  return { lastOutput: () => lastOutput };
}

/** Stops a server at once: sessions are disconnected, committed data stays. */
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

/** The last port, if it is free, because the pools of other processes still use it. */
async function choosePort(home: ServerHome): Promise<number> {
  const file = path.join(home.folder, 'port');
  const last = Number(await readFile(file, 'utf8').catch(() => '0')); // Missing at the first start.
  const port = await findFreePort(last).catch(() => findFreePort(0));
  await writeFile(file, `${port}\n`);
  return port;
}

function findFreePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // A listening TCP server always has one.
      server.close(() => resolve(port));
    });
  });
}

/** The server's superuser and the database. */
export const DATABASE_USER = 'aftermeet';

export const DATABASE = 'postgres';

/** `unix`: a socket in a folder that only the server's user and root can enter; `tcp`: 127.0.0.1 with a password. */
export type Transport = 'unix' | 'tcp';

const LEFTOVER_AFTER_MS = 10 * 60 * 1000;

/**
 * Creates the database cluster when there is none. It is created under a temporary name and renamed, so that two
 * processes never create one together and a crash leaves no partial one.
 */
export async function makeCluster(home: ServerHome, binaries: Binaries, transport: Transport): Promise<void> {
  if (await isThere(home.data)) return;
  await removeLeftovers(home.folder);
  const temporary = path.join(home.folder, `cluster.new-${process.pid}-${randomBytes(4).toString('hex')}`);
  await makePrivateFolder(temporary, home);
  try {
    await runProgram(
      binaries.initdb,
      [
        '--pgdata',
        path.join(temporary, 'data'),
        '--username',
        DATABASE_USER,
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...(await makeAuthentication(temporary, home, transport)),
      ],
      { user: home.user, folder: home.folder, environment: binaries.environment },
    );
    await rm(path.join(temporary, VERIFIER_FILE), { force: true });
    await rename(temporary, home.cluster);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another process was faster.
    if (await isThere(home.data)) return;
    throw new Error(
      `the embedded PostgreSQL could not make its database in ${home.folder}: ${describeError(error)}. ` +
        'Correct this, or set QUEUE_URL to a redis:// or postgres:// server.',
      { cause: error },
    );
  }
}

/** A link is refused, and a pipe keeps no one waiting. Used on Linux alone: Windows has neither flag. */
const NO_LINK = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The password of a cluster that asks for one. Root reads it in a folder of the server's user, whose other processes can
 * put another file there, or a link to a file that only root can read. So it has to be the file that root wrote.
 */
export async function readPassword(home: ServerHome): Promise<string | undefined> {
  const file = path.join(home.cluster, 'password');
  const refused = `${file} is a link or does not belong to root, so it is not read as the password: if you have copied or restored the folder, make it a plain file of root`;
  let handle: FileHandle;
  try {
    handle = await open(file, home.user === undefined ? 'r' : NO_LINK);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw isCode(error, 'ELOOP') ? new Error(refused, { cause: error }) : error;
  }
  try {
    const found = await handle.stat();
    const isOfRoot = found.isFile() && found.uid === 0 && found.nlink === 1;
    if (home.user !== undefined && !isOfRoot) throw new Error(refused);
    return (await handle.readFile('utf8')).trim();
  } finally {
    await handle.close();
  }
}

/** For initdb alone, and gone after it. */
const VERIFIER_FILE = 'verifier';

/**
 * How the server knows its users. Where it runs as the user of this process, the folder of the socket keeps others out.
 * For root it runs as another user, whose other processes can enter that folder too: they are asked for a password,
 * which stands in a file of root's. initdb gets only what the server keeps of it. It closes the socket alone: the files of
 * the server belong to that user.
 */
async function makeAuthentication(
  cluster: string,
  home: ServerHome,
  transport: Transport,
): Promise<string[]> {
  if (transport === 'unix' && home.user === undefined) return ['--auth=trust'];
  const password = randomBytes(24).toString('base64url');
  await writeSecret(path.join(cluster, 'password'), password, undefined);
  const file = path.join(cluster, VERIFIER_FILE);
  await writeSecret(file, makeScramVerifier(password, randomBytes(16)), home.user);
  return ['--auth=scram-sha-256', `--pwfile=${file}`];
}

/** Never through a link, which the user of the server could put there. */
async function writeSecret(file: string, text: string, user: ServerUser | undefined): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${text}\n`);
    if (user !== undefined) await handle.chown(user.uid, user.gid);
  } finally {
    await handle.close();
  }
}

/** Removes what a process that was killed during a start has left. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('cluster.new-')) continue;
    const leftover = path.join(folder, name);
    const { mtimeMs } = await stat(leftover);
    if (Date.now() - mtimeMs > LEFTOVER_AFTER_MS) await rm(leftover, { recursive: true, force: true });
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** The content of `postmaster.pid`; a killed server leaves the file behind. */
interface PostmasterFile {
  readonly pid: number;
  /** The data folder that its server was started with; another one in a copied or moved folder. */
  readonly data: string;
  readonly port: number;
  /** The folder of its socket, or 127.0.0.1. */
  readonly host: string;
  /** The key of its shared memory; absent where the system has none. */
  readonly memoryKey: bigint | undefined;
}

/** `undefined` when `postmaster.pid` is missing or not complete yet. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(data, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  // PostgreSQL documents the lines in miscadmin.h: pid, data, start time, port, socket folder, address,
  // key and id of the shared memory.
  const [pid, folder, , port, socketFolder, address, memory] = text.split('\n');
  const host = (socketFolder ?? '') === '' ? address : socketFolder;
  if (!Number(pid) || !Number(port) || folder === undefined || host === undefined || host === '') {
    return undefined;
  }
  const key = /^\s*(\d+)\s+\d+$/.exec(memory ?? '')?.[1];
  const memoryKey = key === undefined ? undefined : BigInt(key);
  return { pid: Number(pid), data: folder, port: Number(port), host, memoryKey };
}

/** How many keys further the server looks where others have taken those before. */
const MAX_KEY_STEPS = 100n;

/**
 * Whether a data folder was copied file by file while its server ran, or after that was killed: its `postmaster.pid` came
 * along, and the key of the shared memory, which the server takes from the number of its data folder (the inode), is that
 * of another folder. A folder that was moved, and one in a snapshot of a whole disk, keep their number.
 */
export async function isCopy(data: string): Promise<boolean> {
  const found = await readPostmasterFile(data);
  if (found?.memoryKey === undefined) return false;
  const { ino } = await stat(data, { bigint: true });
  return BigInt.asUintN(32, found.memoryKey - ino) > MAX_KEY_STEPS;
}

/** Whether two paths lead to one folder, by a link, a mount or another spelling too. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((folder) => stat(folder, { bigint: true }).catch(() => undefined)),
  );
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

/**
 * Removes the locks of a server that does not run in this home although a process has its number: another process since
 * a restart of the container, or the server that runs in the original of a copied folder. PostgreSQL would never start.
 * Only on Linux, where it can be checked that no process has the data folder as its working folder, as each process of a
 * server has, even after the folder was moved. Returns whether the locks were removed.
 */
export async function removeStaleLocks(home: ServerHome): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const data = await realpath(home.data);
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process that has just ended, or of another user, cannot be read.
    const folder = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (folder === data) return false;
  }
  await rm(path.join(data, 'postmaster.pid'), { force: true });
  await rm(path.join(await makeSocketFolder(home), SOCKET_LOCK_FILE), { force: true });
  return true;
}

interface ProgramOptions {
  readonly user: ServerUser | undefined;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Runs a program to its end. Rejects with its last output when it fails. */
function runProgram(program: string, words: readonly string[], options: ProgramOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      ...options.user,
      cwd: options.folder,
      env: options.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let said = '';
    const keep = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-2000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) =>
      reject(new Error(`${program} could not be run: ${error.message}`, { cause: error })),
    );
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${signal ?? code}: ${said.trim()}`));
    });
  });
}
