// Our nodes as npm would publish them, where n8n looks for community nodes.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Builds and packs the nodes, and installs the tarball for the n8n whose user folder it is; nothing is fetched. */
export function installNodes(userFolder) {
  run(process.execPath, [join(root, 'nodes/scripts/build.mjs')], root);
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', userFolder];
  const packed = run('npm', words, join(root, 'nodes'));
  const [{ filename, size, entryCount }] = JSON.parse(packed);
  // A link would do for n8n, but not for the node: it would load its own n8n-workflow.
  const home = join(userFolder, '.n8n/nodes');
  mkdirSync(home, { recursive: true });
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--offline', '--no-audit', '--no-fund'];
  run('npm', ['install', ...options, join(userFolder, filename)], home);
  return `${filename}: ${entryCount} files, ${Math.round(size / 1024)} KiB`;
}

function run(program, words, cwd) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words[0]} ended with ${String(status)}: ${stderr}`);
  return stdout;
}
