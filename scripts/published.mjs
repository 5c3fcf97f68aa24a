import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './make-ready.mjs';

/** The folders whose packages are published, each behind those that it depends on. `test` is not. */
export const publishedFolders = [
  'packages/contract',
  'packages/pages',
  'packages/webhooks',
  'packages/client',
  'packages/queue',
  'packages/sandbox',
  'receiver',
  'recipes',
  'packages/cli',
  'nodes',
];

/** Packs what is built, as it would be published: `{ name, tarball, files }` of each package. */
export function packAll(folder) {
  mkdirSync(folder, { recursive: true });
  const words = ['pack', '--json', '--ignore-scripts', `--pack-destination=${folder}`];
  const { status, stdout, stderr } = spawnSync(
    'npm',
    [...words, ...publishedFolders.map((each) => `--workspace=${each}`)],
    // Through the shell on Windows, where npm is a script.
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' },
  );
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  return JSON.parse(stdout).map(({ name, filename, files }) => ({
    name,
    tarball: join(folder, filename),
    files: files.map(({ path }) => path),
  }));
}
