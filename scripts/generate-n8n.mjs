// `node scripts/generate-n8n.mjs`: writes recipes/n8n/ID.json, the n8n workflow of each prebuilt recipe. With `--check` it
// writes nothing and fails when one of them is not what it would write.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeReady, root } from './make-ready.mjs';

const words = process.argv.slice(2);
if (words.some((word) => word !== '--check')) {
  process.stderr.write('Unknown option: generate-n8n.mjs takes --check or nothing.\n');
  process.exit(2);
}

makeReady();
// Only now: in a fresh clone there is nothing to import before.
const [{ listPrebuiltRecipes, toN8nWorkflow }, { format }] = await Promise.all(
  ['@aftermeet/recipes', 'oxfmt'].map((name) => import(name)),
);
const { ignorePatterns: _paths, ...style } = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'));

const folder = join(root, 'recipes', 'n8n');
mkdirSync(folder, { recursive: true });
let isStale = false;
const complain = (name, problem) => {
  isStale = true;
  process.stderr.write(`recipes/n8n/${name} ${problem}: run node scripts/generate-n8n.mjs\n`);
};
const names = [];
for (const { id } of listPrebuiltRecipes()) {
  const name = `${id}.json`;
  const made = toN8nWorkflow({ name: id, use: id, when: {}, with: {} });
  if (made === undefined) throw new Error(`no workflow is known for the recipe ${id}`);
  const { code, errors } = await format(name, JSON.stringify(made.workflow), style);
  if (errors.length > 0) throw new Error(`${name} cannot be formatted: ${errors[0].message}`);
  names.push(name);
  const path = join(folder, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === code) continue;
  if (words.includes('--check')) {
    complain(name, 'is stale');
  } else {
    writeFileSync(path, code);
    process.stderr.write(`wrote recipes/n8n/${name}\n`);
  }
}
for (const name of readdirSync(folder)) {
  if (name.endsWith('.json') && !names.includes(name)) complain(name, 'belongs to no recipe');
}
process.exitCode = isStale ? 1 : 0;
