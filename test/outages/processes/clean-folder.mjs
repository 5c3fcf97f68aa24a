import { rmSync } from 'node:fs';

import { findProcessesIn, signalAll } from './processes.mjs';

/** Ends every process that works in a folder, stopped ones too, and removes it. */
export function cleanFolder(folder) {
  // More than once: a server that is being killed may just have made another child.
  for (let tries = 0; tries < 50; tries += 1) {
    const left = findProcessesIn(folder);
    if (left.length === 0) break;
    signalAll(left, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
