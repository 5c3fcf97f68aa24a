import { accessSync, constants, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { watchFolder } from './watchdog.ts';

export interface TemporaryFolder {
  readonly path: string;
  /** Ends an embedded PostgreSQL that still runs in it, and removes it with everything in it. */
  remove(): void;
}

/**
 * A folder with a short path (sockets need one) that every user may enter (a server started by root runs as another
 * user). It is removed at the latest when this process ends, also when it is killed. `inMemory` saves the time of the
 * disk where the system has a file system in memory; not for tests of durability.
 */
export async function makeTemporaryFolder({
  inMemory = false,
}: { readonly inMemory?: boolean } = {}): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(inMemory ? memoryFolder() : os.tmpdir(), 'am-'));
  await chmod(folder, 0o755);
  watchFolder(folder);
  return {
    path: folder,
    remove: () => {
      killServer(path.join(folder, 'cluster/data'));
      removeFolder(folder);
    },
  };
}

/**
 * A killed Redis leaves a child for a moment that still rewrites its append-only file. `maxRetries` of rmSync would not do:
 * it lists the folder only once. A folder that is still in use after all is left to the watchdog.
 */
function removeFolder(folder: string): void {
  for (let tries = 0; tries < 20; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
    }
  }
}

function memoryFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return os.tmpdir();
  }
}

function killServer(data: string): void {
  try {
    const pid = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // No server, or it has ended.
  }
}
