import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanFolder } from './clean-folder.mjs';

const folders = new Set();
let watchdog;

/** A new folder that every user may enter: a PostgreSQL that root starts runs as another one. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'am-outages-'));
  chmodSync(folder, 0o755);
  watchFolder(folder);
  return folder;
}

/** Has a folder cleaned, with the processes in it, when this process ends, however it ends. */
export function watchFolder(folder) {
  if (watchdog === undefined) {
    const file = join(import.meta.dirname, 'watchdog.mjs');
    // In a group of its own: Ctrl-C must not reach it.
    watchdog = spawn(process.execPath, [file], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    watchdog.unref();
    watchdog.stdin.unref();
    process.on('exit', cleanAll);
    process.on('SIGINT', () => process.exit(130));
    process.on('SIGTERM', () => process.exit(143));
  }
  watchdog.stdin.write(`${folder}\n`);
  folders.add(folder);
}

/** Ends what still runs in a folder, and removes it. */
export function removeFolder(folder) {
  cleanFolder(folder);
  folders.delete(folder);
}

function cleanAll() {
  for (const folder of folders) cleanFolder(folder);
}
