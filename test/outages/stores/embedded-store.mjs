import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { checkEmbeddedSupport } from '@aftermeet/queue';

import { signalAll } from '../processes/processes.mjs';
import { expectedSync, listPostgresFaults, readSync } from './postgres-faults.mjs';
import { addressOf, findHome, findPostmaster, withPostgresQueue } from './postgres-home.mjs';

/** Why no PostgreSQL can be played here, or nothing. */
export function whyNoPostgres() {
  const support = checkEmbeddedSupport();
  return support.ok ? undefined : support.problem;
}

/** The PostgreSQL that receivers start by themselves, and start again when it dies. */
export async function openEmbeddedStore(parent) {
  const folder = join(parent, 'embedded');
  mkdirSync(folder, { mode: 0o755 });
  const home = await findHome(folder);
  const address = () => addressOf(home);
  return {
    kind: 'embedded',
    queueUrl: `embedded:${folder}`,
    readSync: () => readSync(address()),
    expectedSync,
    withQueue: (use) => withPostgresQueue(address(), use),
    faults: [
      ...listPostgresFaults({ address, findPostmaster: () => findPostmaster(home) }),
      {
        name: 'store killed',
        // Nobody brings it back but the receivers, and at once: there is no time in which it is surely away.
        begin: () => signalAll([findPostmaster(home)], 'SIGKILL'),
        end: () => undefined,
        isBroughtBack: true,
      },
    ],
    close: () => undefined,
  };
}
