import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import type { PostgresBackend } from '../backend.ts';
import { describeError, isCode } from '../errors.ts';
import { createLineHeads } from '../line-heads.ts';
import { createOutageLog, type Log } from '../log.ts';
import { openPostgresClock, poolSettings, withPostgresClient } from '../postgres/postgres-backend.ts';
import { prepareSchemas } from '../postgres/schema.ts';
import type { StoreClock } from '../store-clock.ts';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { findServerHome, type ServerHome, SOCKET_LOCK_FILE } from './server-home.ts';
import {
  DATABASE,
  DATABASE_USER,
  isCopy,
  isSameFolder,
  makeCluster,
  readPassword,
  readPostmasterFile,
  removeStaleLocks,
  startServer,
  stopServer,
  type Transport,
} from './server.ts';

interface EmbeddedOptions {
  readonly namespace: string;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
  /** On Windows TCP, because a folder cannot protect a socket there. */
  readonly transport?: Transport;
}

/**
 * A PostgreSQL server in `directory`, started on demand. Several processes may share one directory: the first starts the
 * server, the server survives a kill of that process, and the last one that closes stops it.
 */
export async function openEmbeddedBackend(
  directory: string,
  { namespace, log, signal, transport = process.platform === 'win32' ? 'tcp' : 'unix' }: EmbeddedOptions,
): Promise<PostgresBackend> {
  const home = await findServerHome(path.resolve(directory), log);
  const binaries = await prepareBinaries(home);
  const server = await useServer({ home, binaries, transport, signal }, log);
  const poolConfig: PostgresBackend['poolConfig'] = (use) => ({
    ...poolSettings(use),
    ...server.address(),
  });
  const name = `embedded:${home.directory}`;
  const outage = createOutageLog(log, { store: name });
  let clock: StoreClock;
  try {
    clock = await withPostgresClient(poolConfig('work'), async (client) => {
      await prepareSchemas(client, namespace);
      return await openPostgresClock(client, { name, log, outage });
    });
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    kind: 'postgres',
    name,
    namespace,
    clock,
    outage,
    heads: createLineHeads(),
    poolConfig,
    close: () => server.close(),
  };
}

/** This process as one of the users of a server. */
interface ServerUse {
  address(): ServerAddress;
  /** The last process that leaves stops the server. */
  close(): Promise<void>;
}

const RESTART_AFTER_MS = 500;

const STOP_WITHIN_MS = 15_000;

/** Uses the server of a folder, starts it when needed, and starts it again when it dies. */
async function useServer(options: EnsureOptions, log: Log): Promise<ServerUse> {
  const { home, signal } = options;
  const closing = new AbortController();
  let keeper: Keeper | undefined;
  let watching: Promise<void>;

  function watch(current: Keeper): void {
    keeper = current;
    watching = new Promise((resolve) => {
      current.client.once('end', () => {
        keeper = undefined;
        resolve(closing.signal.aborted ? undefined : restart());
      });
    });
  }

  async function restart(): Promise<void> {
    log.warn({ folder: home.directory }, 'embedded PostgreSQL: lost, restarting it');
    while (!closing.signal.aborted) {
      try {
        watch(await ensureServer({ ...options, signal: closing.signal }));
        log.info({ folder: home.directory }, 'embedded PostgreSQL: runs again');
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        log.error(
          { folder: home.directory, error: describeError(error) },
          'embedded PostgreSQL: cannot be restarted',
        );
      }
      await pause(RESTART_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const first = await ensureServer({ ...options, signal });
  let { address } = first;
  watch(first);
  return {
    address: () => (address = keeper?.address ?? address),
    async close() {
      closing.abort();
      if (keeper === undefined) await watching;
      if (keeper !== undefined) await leave(keeper, options, log);
    },
  };
}

/**
 * Releases the shared lock and then tries the exclusive one, which only the last process gets; that one stops the server.
 * In this order one of several that leave at once is the last. A process that attaches meanwhile waits for the lock, is
 * disconnected, and starts the server again.
 */
async function leave({ client }: Keeper, options: EnsureOptions, log: Log): Promise<void> {
  const { home, binaries } = options;
  try {
    await client.query(`select pg_advisory_unlock_shared(${KEEPER_LOCK})`);
    const { rows } = await client.query<{ isLast: boolean; pid: string }>(
      `select pg_try_advisory_lock(${KEEPER_LOCK}) as "isLast",
              split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
    );
    const pid = Number(rows[0]?.pid);
    if (rows[0]?.isLast === true && pid > 1) {
      await stopServer(home, binaries, pid);
      await waitUntilGone(pid, path.join(home.data, 'postmaster.pid'));
    }
  } catch (error) {
    // The server is gone already.
    log.debug(
      { folder: home.directory, error: describeError(error) },
      'embedded PostgreSQL: server already gone on close',
    );
  } finally {
    await client.end().catch(() => undefined); // It may be disconnected.
  }
}

async function waitUntilGone(pid: number, pidFile: string): Promise<void> {
  const untilMs = performance.now() + STOP_WITHIN_MS;
  let fileGoneMs: number | undefined;
  while (performance.now() < untilMs) {
    if (!isAlive(pid)) return;
    const isFileThere = await stat(pidFile).then(
      () => true,
      () => false,
    );
    // An unreaped child process looks alive, but the server removes this file when it ends.
    if (!isFileThere) fileGoneMs ??= performance.now();
    if (fileGoneMs !== undefined && performance.now() - fileGoneMs > 500) return;
    await pause(10);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** For a server that does not answer; one that was just started may replay its log for longer. */
const GIVE_UP_AFTER_MS = 30_000;

const START_WITHIN_MS = 120_000;

const ASK_EVERY_MS = 15;

/** Before that a lock may belong to a server that is starting. */
const STALE_LOCK_AFTER_MS = 2000;

/** Passing errors: another process was faster, or children of a killed server are still ending. */
const RETRYABLE = /lock file .* already exists|pre-existing shared memory block|Address already in use/;

interface EnsureOptions {
  readonly home: ServerHome;
  readonly binaries: Binaries;
  readonly transport: Transport;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Attaches to the server of a home, and starts it when it does not run. Any number of processes may do this at once: the
 * cluster appears complete, and PostgreSQL's own lock lets one server start; the others attach.
 */
async function ensureServer({ home, binaries, transport, signal }: EnsureOptions): Promise<Keeper> {
  const startedMs = performance.now();
  const sinceMs = (): number => performance.now() - startedMs;
  let problem = '';
  while (sinceMs() < GIVE_UP_AFTER_MS) {
    signal?.throwIfAborted();
    const attachment = await attach(home);
    if (attachment.kind === 'attached') return attachment.keeper;
    if (attachment.kind === 'busy') {
      problem = attachment.problem;
    } else {
      // Also at the path of the original, where it was put back.
      if (await isCopy(home.data)) throw new Error(describeCopy(home));
      const started = await start({ home, binaries, transport });
      if (started.kind === 'attached') return started.keeper;
      problem = started.problem;
      if (!RETRYABLE.test(problem)) break;
      const isForeign = attachment.kind === 'foreign';
      if (problem.includes('lock file') && (isForeign || sinceMs() > STALE_LOCK_AFTER_MS)) {
        const isRemoved = await removeStaleLocks(home);
        if (isForeign && !isRemoved) problem = attachment.problem;
        if (isForeign && !isRemoved && sinceMs() > STALE_LOCK_AFTER_MS) break;
      }
    }
    await pause(100, undefined, { signal });
  }
  throw new Error(
    `the embedded PostgreSQL in ${home.directory} does not run: ${problem} (its log: ${home.logFile})`,
  );
}

type Started =
  | { readonly kind: 'attached'; readonly keeper: Keeper }
  | { readonly kind: 'ended'; readonly problem: string };

async function start({ home, binaries, transport }: EnsureOptions): Promise<Started> {
  await makeCluster(home, binaries, transport);
  const server = await startServer(home, binaries, transport);
  const untilMs = performance.now() + START_WITHIN_MS;
  while (server.lastOutput() === undefined && performance.now() < untilMs) {
    await pause(ASK_EVERY_MS);
    const attachment = await attach(home);
    if (attachment.kind === 'attached') return attachment;
  }
  return {
    kind: 'ended',
    problem: server.lastOutput() ?? `it did not answer within ${START_WITHIN_MS} ms of its start`,
  };
}

/** How to reach the server, as options of `pg`. */
interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  readonly ssl: false;
}

/** A session that marks this process as a user of the server. */
interface Keeper {
  readonly client: pg.Client;
  readonly address: ServerAddress;
}

type Attachment =
  | { readonly kind: 'attached'; readonly keeper: Keeper }
  /** No server runs; it may be started. */
  | { readonly kind: 'absent' }
  /** The lock is that of a server in another folder, as in a copy: never use that one. A server may be started here. */
  | { readonly kind: 'foreign'; readonly problem: string }
  /** A server is starting or stopping: try again. */
  | { readonly kind: 'busy'; readonly problem: string };

/** The advisory lock that each attached process shares ("aftm" in ASCII). */
const KEEPER_LOCK = '1634104429, 1';

const CONNECT_WITHIN_MS = 3000;

/** Tries to attach to the running server of a home. */
async function attach(home: ServerHome): Promise<Attachment> {
  const running = await readPostmasterFile(home.data);
  if (running === undefined) return { kind: 'absent' };
  const foreign: Attachment = { kind: 'foreign', problem: describeForeignLock(home, running) };
  if (!(await isSameFolder(running.data, home.data))) return foreign;
  const address: ServerAddress = {
    host: running.host,
    port: running.port,
    user: DATABASE_USER,
    database: DATABASE,
    password: await readPassword(home),
    ssl: false,
  };
  const client = new pg.Client({
    ...address,
    application_name: 'aftermeet-keeper',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined); // The running query rejects as well.
  try {
    await client.connect();
    // A TCP port may have gone from a killed server to that of a copy, which has the same password.
    const { rows } = await client.query<{ data: string }>(`select current_setting('data_directory') as data`);
    if (!(await isSameFolder(rows[0]?.data ?? '', home.data))) {
      await client.end();
      return foreign;
    }
    // Waits while the last process stops the server; then this session is disconnected.
    await client.query(`select pg_advisory_lock_shared(${KEEPER_LOCK})`);
    return { kind: 'attached', keeper: { client, address } };
  } catch (error) {
    await client.end().catch(() => undefined); // It may not be established.
    if (isCode(error, 'ECONNREFUSED', 'ENOENT')) return { kind: 'absent' };
    return { kind: 'busy', problem: `process ${running.pid}: ${describeError(error)}` };
  }
}

function describeCopy({ directory, data }: ServerHome): string {
  return (
    `${directory} is a copy of a folder whose server ran, so its files may not fit together. ` +
    'Make a copy with aftermeet backup and aftermeet restore. ' +
    `If no server ran in the original while it was copied, remove ${path.join(data, 'postmaster.pid')}`
  );
}

function describeForeignLock(
  { data }: ServerHome,
  { pid, data: other }: { pid: number; data: string },
): string {
  return (
    `${path.join(data, 'postmaster.pid')} is that of the server of ${other}, process ${pid}. ` +
    `If this folder is a copy, remove that file and ${SOCKET_LOCK_FILE} in its socket folder; ` +
    'if it was moved while its server ran, end that process'
  );
}
