import { readFileSync, rmSync } from 'node:fs';
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
 * A folder with a short path (sockets need one) that every user may enter (a server started by root runs
 * as another user). It is removed at the latest when this process ends, also when it is killed.
 */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'am-'));
  await chmod(folder, 0o755);
  watchFolder(folder);
  return {
    path: folder,
    remove: () => {
      killServer(path.join(folder, 'cluster/data'));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function killServer(data: string): void {
  try {
    const pid = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // No server, or it has ended.
  }
}
