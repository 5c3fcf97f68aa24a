import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs a folder with its own lock file, which is not a workspace, so that users of the project do not install it.
 * Does nothing if the installation is newer than the lock file. Ends the process on failure.
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
