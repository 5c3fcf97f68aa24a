// `npm run mutants`: changes the verification in some hundred ways, one at a time, in a copy in a temporary folder, and
// runs the tests that concern it. Exit code 1 when a change goes unnoticed that `equivalents.mjs` gives no reason for.
// `npm run mutants -- verification` runs only the rounds with this word in their names.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { installOwn } from '../../scripts/install-own.mjs';
import { makeReady } from '../../scripts/make-ready.mjs';
import { judge } from './judge.mjs';
import { makeCopy } from './make-copy.mjs';
import { rounds } from './rounds.mjs';

const folder = import.meta.dirname;
const root = join(folder, '..', '..');

if (Number(process.versions.node.split('.')[0]) < 22) {
  process.stderr.write(
    `Stryker needs Node 22 or newer, this is ${process.versions.node}: put a newer one in front of PATH.\n`,
  );
  process.exit(1);
}
makeReady();
installOwn(folder, 'Stryker');

const [word = ''] = process.argv.slice(2);
const copy = mkdtempSync(join(tmpdir(), 'aftermeet-mutants-'));
let unnoticed = 0;
try {
  makeCopy(root, copy);
  for (const round of rounds.filter(({ name }) => name.includes(word))) {
    const startedMs = Date.now();
    const { lines, counts } = judge(runStryker(round));
    unnoticed += lines.length;
    for (const line of lines) process.stdout.write(`${line}\n`);
    const seconds = Math.round((Date.now() - startedMs) / 1000);
    process.stdout.write(`${round.name}: ${counts}, ${lines.length} unnoticed (${seconds} s)\n`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = unnoticed === 0 ? 0 : 1;

/** The report of one round (https://stryker-mutator.io/docs/mutation-testing-elements). */
function runStryker({ mutate, tests }) {
  const report = join(copy, 'report.json');
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutants/vitest.config.mjs', related: false },
    coverageAnalysis: 'perTest',
    mutate,
    // This already is a copy, and the links of its packages lead here.
    inPlace: true,
    concurrency: availableParallelism(),
    timeoutMS: 10_000,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    tempDirName: '.stryker',
    logLevel: 'warn',
  };
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(config));
  const program = join(copy, 'test/mutants/node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(process.execPath, [program, 'run', 'stryker.config.json'], {
    cwd: copy,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, AFTERMEET_MUTANTS_TESTS: JSON.stringify(tests) },
  });
  if (status !== 0) throw new Error('Stryker failed: what it printed is above.');
  return JSON.parse(readFileSync(report, 'utf8'));
}
