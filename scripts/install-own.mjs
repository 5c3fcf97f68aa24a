import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs a folder that has a lock file of its own and is no workspace (nobody who only uses the project pays for it),
 * where that file is newer than what is installed. Ends the process when that fails.
 */
export function installOwn(folder, what) {
  const installed = modifiedMs(join(folder, 'node_modules', '.package-lock.json'));
  if (installed >= modifiedMs(join(folder, 'package-lock.json'))) return;
  process.stderr.write(`Installing ${what} (npm ci) …\n`);
  const words = [
    'ci',
    `--prefix=${folder}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // Through the shell on Windows, where npm is a script.
  const { status } = spawnSync('npm', words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(`Installing ${what} failed: what npm printed is above.\n`);
  process.exit(1);
}

function modifiedMs(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}
