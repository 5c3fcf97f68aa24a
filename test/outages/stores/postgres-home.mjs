import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createPostgresBackend, withBackend } from 'bullmq';

import { findServerHome } from '../../../packages/queue/dist/embedded/server-home.js';
import { watchFolder } from '../processes/folders.mjs';

const { Queue } = withBackend(createPostgresBackend);
const silentLog = { debug() {}, info() {}, warn() {}, error() {} };

/** Where an embedded server of a folder lives; as root that may be elsewhere, and is cleaned as well. */
export async function findHome(folder) {
  const home = await findServerHome(folder, silentLog);
  if (home.folder !== folder) watchFolder(home.folder);
  return home;
}

/** How to reach its server, in the words of pg. */
export function addressOf(home) {
  return {
    host: readPostmasterFile(home)[4],
    port: 5432,
    user: 'aftermeet',
    database: 'postgres',
    connectionTimeoutMillis: 5000,
  };
}

export function findPostmaster(home) {
  return Number(readPostmasterFile(home)[0]);
}

export async function withPostgresQueue(address, use) {
  const queue = new Queue('events', { connection: { ...address, schema: 'aftermeet_queue' } });
  queue.on('error', () => undefined); // The call that runs rejects as well.
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}

function readPostmasterFile(home) {
  return readFileSync(join(home.data, 'postmaster.pid'), 'utf8').split('\n');
}
