// `npm run test:all`: the whole suite (every store, every property at full size, whole processes that are killed), then
// outages and crashes. Words are for vitest; with them outages and crashes are left out.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { makeReady, root } from './make-ready.mjs';

makeReady();
const words = process.argv.slice(2);
/** @type {[title: string, program: string, words: string[]][]} */
const steps = [
  ['tests', 'node_modules/vitest/vitest.mjs', ['run', ...words]],
  ['outages: what was acknowledged is never lost', 'test/harness/outages.mjs', ['--rounds', '12']],
  ['crashes: each effect once, and twice without the ledger', 'test/harness/crashes.mjs', ['--quick']],
];
for (const [title, program, programWords] of words.length === 0 ? steps : steps.slice(0, 1)) {
  const startedMs = Date.now();
  process.stderr.write(`\n${title}\n`);
  const { status } = spawnSync(process.execPath, [join(root, program), ...programWords], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, AFTERMEET_TEST: 'all' },
  });
  if (status !== 0) {
    process.stderr.write(`failed: ${title}\n`);
    process.exit(1);
  }
  process.stderr.write(`passed: ${title} (${((Date.now() - startedMs) / 1000).toFixed(0)} s)\n`);
}
