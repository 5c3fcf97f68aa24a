// `npm run check`: everything a change must pass, in the order that fails soonest. `--no-tests` leaves the tests out;
// other words are for vitest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { makeReady, root } from './make-ready.mjs';

makeReady();
const words = process.argv.slice(2).filter((word) => word !== '--no-tests');
const withTests = !process.argv.includes('--no-tests');
/** @type {[name: string, program: string, words: string[]][]} */
const checks = [
  ['types', 'node_modules/typescript/bin/tsc', ['-b']],
  ['types of the tests', 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.test.json']],
  ["types of the nodes' tests", 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.test.nodes.json']],
  ['generated documents', 'scripts/generate-docs.mjs', ['--check']],
  ['manifests', 'scripts/manifests.mjs', ['--check']],
  ['lint', 'node_modules/oxlint/bin/oxlint', ['--deny-warnings']],
  ['format', 'node_modules/oxfmt/bin/oxfmt', ['--check', '.']],
  ['unused', 'node_modules/knip/bin/knip.js', []],
  ...(withTests ? [['tests', 'node_modules/vitest/vitest.mjs', ['run', ...words]]] : []),
];
for (const [name, program, programWords] of checks) {
  const startedMs = Date.now();
  const { status } = spawnSync(process.execPath, [join(root, program), ...programWords], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    process.stderr.write(`check failed: ${name}\n`);
    process.exit(1);
  }
  process.stderr.write(`check passed: ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)\n`);
}
process.stderr.write('all checks passed\n');
