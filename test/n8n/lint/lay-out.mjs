// A copy of the sources laid out so that imports resolve: the package among the workspaces, n8n's tools above it.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const own = ['package.json', 'eslint.config.mjs', 'tsconfig.json', 'nodes', 'credentials', 'icons'];

/** Answers the folder of the package's copy, within `folder`. */
export function layOut(folder) {
  const workspace = join(folder, 'workspace');
  const nodes = join(workspace, 'nodes');
  mkdirSync(join(workspace, 'node_modules'), { recursive: true });
  for (const name of own) cpSync(join(root, 'nodes', name), join(nodes, name), { recursive: true });
  cpSync(join(root, 'tsconfig.base.json'), join(workspace, 'tsconfig.base.json'));
  link(join(root, 'packages'), join(workspace, 'packages'));
  link(join(root, 'node_modules/@aftermeet'), join(workspace, 'node_modules/@aftermeet'));
  link(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
  return nodes;
}

function link(target, path) {
  symlinkSync(target, path, 'junction');
}
