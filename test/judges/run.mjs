// `node test/judges/run.mjs`: lets programs of others judge docs/openapi.json and the sandbox. One line per judge on
// stdout; what a judge has to say goes to stderr. Exit code 1 when one of them objects.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { makeReady } from '../../scripts/make-ready.mjs';
import { runProgram } from './run-program.mjs';

const folder = import.meta.dirname;

makeReady();
await install();
// Only now: in a fresh clone there is nothing to import before.
const { judges } = await import('./judges.mjs');

let objections = 0;
for (const { name, judge } of judges) {
  const startedMs = Date.now();
  const verdict = await judge().catch((error) => ({ passed: false, detail: String(error?.stack ?? error) }));
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  if (!verdict.passed) objections += 1;
  if (!verdict.passed) process.stderr.write(`${verdict.detail}\n`);
  const word =
    verdict.skipped === undefined ? (verdict.passed ? 'passed' : 'FAILED') : `not run: ${verdict.skipped}`;
  process.stdout.write(`${name}: ${word} (${seconds} s)\n`);
}
process.exitCode = objections === 0 ? 0 : 1;

/** The judges are no part of the workspace: nobody who only uses the project installs them. */
async function install() {
  const installed = modifiedMs(join(folder, 'node_modules', '.package-lock.json'));
  if (installed >= modifiedMs(join(folder, 'package-lock.json'))) return;
  process.stderr.write('Installing the judges (npm ci) …\n');
  const { code, output } = await runProgram('npm', [
    'ci',
    `--prefix=${folder}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (code === 0) return;
  process.stderr.write(`${output}\nThe judges could not be installed.\n`);
  process.exit(1);
}

function modifiedMs(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}
