// `node scripts/publish.mjs FOLDER`, which .github/workflows/release.yml runs: publishes the tarballs in FOLDER whose version npm
// does not have yet, what others depend on first, so that a run that stopped half-way is run again. The n8n nodes are published
// from their own repository (scripts/mirror-nodes.mjs).
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { root } from './make-ready.mjs';
import { publishedFolders } from './published.mjs';

const [given] = process.argv.slice(2);
if (given === undefined) {
  process.stderr.write(
    'Usage: node scripts/publish.mjs FOLDER, with the tarballs of npm run packages -- FOLDER\n',
  );
  process.exit(2);
}
const folder = resolve(given);
for (const each of publishedFolders.filter((name) => name !== 'nodes')) {
  const { name, version } = JSON.parse(readFileSync(join(root, each, 'package.json'), 'utf8'));
  if (isPublished(name, version)) {
    process.stdout.write(`${name} ${version} is published already\n`);
    continue;
  }
  const prefix = name.replace('@', '').replace('/', '-');
  const tarball = readdirSync(folder).find((file) => file === `${prefix}-${version}.tgz`);
  if (tarball === undefined) throw new Error(`${folder} has no tarball of ${name} ${version}`);
  if (npm('inherit', 'publish', join(folder, tarball), '--provenance', '--access=public').status !== 0)
    process.exit(1);
}

/** Only "there is no such package or version" means no: everything else ends the run. */
function isPublished(name, version) {
  const { status, stdout, stderr } = npm('pipe', 'view', `${name}@${version}`, 'version');
  if (status === 0) return stdout.trim() === version;
  if (/E404/.test(stdout + stderr)) return false;
  throw new Error(`npm view ${name} failed: ${stderr}`);
}

function npm(stdio, ...words) {
  return spawnSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', stdio, stdio] });
}
