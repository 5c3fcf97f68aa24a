import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { prepareBinaries } from '../../../packages/queue/dist/embedded/binaries.js';
import { makeCluster } from '../../../packages/queue/dist/embedded/cluster.js';
import { startServer } from '../../../packages/queue/dist/embedded/start-server.js';
import { findProcessesIn, signalAll } from '../processes/processes.mjs';
import { ask, expectedSync, listPostgresFaults, readSync } from './postgres-faults.mjs';
import { addressOf, findHome, findPostmaster, withPostgresQueue } from './postgres-home.mjs';

/**
 * A PostgreSQL that is given: receivers only know its address, and start it never. It is made of npm's binaries, which
 * the embedded queue brings.
 */
export async function openPostgresStore(parent) {
  const folder = join(parent, 'postgres');
  mkdirSync(folder, { mode: 0o755 });
  const home = await findHome(folder);
  const binaries = await prepareBinaries(home);
  await makeCluster(home, binaries, 'unix');
  await start(home, binaries);
  const address = addressOf(home);
  return {
    kind: 'postgres',
    queueUrl: `postgres://${address.user}@localhost/${address.database}?host=${encodeURIComponent(address.host)}`,
    readSync: () => readSync(address),
    expectedSync,
    withQueue: (use) => withPostgresQueue(address, use),
    faults: [
      ...listPostgresFaults({ address: () => address, findPostmaster: () => findPostmaster(home) }),
      {
        name: 'store killed',
        begin: () => kill(home),
        end: () => start(home, binaries),
      },
    ],
    close: () => kill(home),
  };
}

/** A new server does not start as long as children of the old one live. */
async function kill(home) {
  signalAll([findPostmaster(home)], 'SIGKILL');
  while (findProcessesIn(home.data).length > 0) await pause(5);
}

async function start(home, binaries) {
  for (let tries = 0; tries < 200; tries += 1) {
    const server = await startServer(home, binaries, 'unix');
    while (server.lastWords() === undefined) {
      await pause(10);
      try {
        await ask(addressOf(home), 'select 1');
        return;
      } catch {
        // Not yet.
      }
    }
    if (!/lock file|shared memory/.test(server.lastWords()))
      throw new Error(`PostgreSQL ended: ${server.lastWords()}`);
  }
  throw new Error('PostgreSQL does not start');
}
