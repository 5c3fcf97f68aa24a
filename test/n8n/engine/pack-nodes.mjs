// The package as a user gets it: the tarball of `npm pack`, unpacked where n8n would have it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const nodes = join(import.meta.dirname, '../../../nodes');

/** Answers the tarball's path, in `folder`. `dist` of the package has to be built. */
export function packNodes(folder) {
  mkdirSync(folder, { recursive: true });
  run('npm', ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`], nodes);
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  return join(folder, name);
}

/** Unpacks it beside the `n8n-workflow` of the engine, as n8n does with NODE_PATH; answers the folder of the package. */
export function unpackNodes(tarball, folder, workflowFolder) {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', modules], folder);
  if (workflowFolder !== undefined) symlinkSync(workflowFolder, join(modules, 'n8n-workflow'), 'junction');
  return join(modules, 'package');
}

function run(program, words, cwd) {
  const { status, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words[0]} ended with ${String(status)}: ${stderr}`);
}
