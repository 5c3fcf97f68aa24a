// `npm run check`: everything a change must pass, in the order that fails soonest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { makeReady, root } from './make-ready.mjs';

makeReady();
/** @type {[name: string, program: string, words: string[]][]} */
const checks = [
  ['types', 'node_modules/typescript/bin/tsc', ['-b']],
  ['types of the tests', 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.test.json']],
  ["types of the nodes' tests", 'node_modules/typescript/bin/tsc', ['-p', 'tsconfig.test.nodes.json']],
  ['generated documents', 'scripts/generate-docs.mjs', ['--check']],
  ['generated n8n workflows', 'scripts/generate-n8n.mjs', ['--check']],
  ['lint', 'node_modules/oxlint/bin/oxlint', ['--deny-warnings']],
  ['format', 'node_modules/oxfmt/bin/oxfmt', ['--check', '.']],
  ['unused', 'node_modules/knip/bin/knip.js', []],
  ['tests', 'node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]],
];
for (const [name, program, words] of checks) {
  const startedMs = Date.now();
  const { status } = spawnSync(process.execPath, [join(root, program), ...words], {
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
