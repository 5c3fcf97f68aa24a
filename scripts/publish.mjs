// What .github/workflows/release.yml runs: publishes each package whose version npm does not have yet, so that a run that
// stopped half-way is run again. The n8n nodes are published from their own repository (scripts/mirror-nodes.mjs).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './make-ready.mjs';
import { publishedFolders } from './published.mjs';

for (const folder of publishedFolders.filter((each) => each !== 'nodes')) {
  const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const { stdout } = npm('pipe', 'view', `${name}@${version}`, 'version', '--json');
  if (stdout.includes(version)) {
    process.stdout.write(`${name} ${version} is published already\n`);
    continue;
  }
  if (npm('inherit', 'publish', `--workspace=${folder}`).status !== 0) process.exit(1);
}

/** `npm view` of what npm does not know prints an error instead of the version. */
function npm(stdio, ...words) {
  return spawnSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', stdio, 'inherit'] });
}
