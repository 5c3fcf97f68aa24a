import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { describeError } from '../describe-error.ts';
import type { Log } from '../log.ts';
import { type Keeper, KEEPER_LOCK, type ServerAddress } from './attach.ts';
import { type EnsureOptions, ensureServer } from './ensure-server.ts';
import { stopServer } from './start-server.ts';

/** This process among those that use one server. */
export interface ServerMembership {
  address(): ServerAddress;
  /** Leaves; the last one that leaves stops the server. */
  close(): Promise<void>;
}

const RESTART_AFTER_MS = 500;
const STOP_WITHIN_MS = 15_000;

/** Joins the users of a server, starting it when needed, and starts it again when it dies under us. */
export async function joinServer(options: EnsureOptions, log: Log): Promise<ServerMembership> {
  const { home, signal } = options;
  const closing = new AbortController();
  let keeper: Keeper | undefined;
  let watching: Promise<void>;

  function watch(current: Keeper): void {
    keeper = current;
    watching = new Promise((resolve) => {
      current.client.once('end', () => {
        keeper = undefined;
        resolve(closing.signal.aborted ? undefined : comeBack());
      });
    });
  }

  async function comeBack(): Promise<void> {
    log.warn({ folder: home.directory }, 'embedded PostgreSQL: lost, starting it again');
    while (!closing.signal.aborted) {
      try {
        watch(await ensureServer({ ...options, signal: closing.signal }));
        log.info({ folder: home.directory }, 'embedded PostgreSQL: runs again');
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        log.error(
          { folder: home.directory, error: describeError(error) },
          'embedded PostgreSQL: can not be started again',
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
 * The last process stops the server: it gives up its shared lock, and then nobody else holds one that
 * would keep it from the exclusive lock. In this order one of several that leave at once is the last.
 * Who attaches at this moment waits for the lock, is cut off, and starts the server again.
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
    // The server went away by itself: nothing to stop.
    log.debug(
      { folder: home.directory, error: describeError(error) },
      'embedded PostgreSQL: left without a word',
    );
  } finally {
    await client.end().catch(() => undefined); // It may have been cut off.
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
    // A dead child that nobody waits for looks alive for ever: the file is the server's own last word.
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
