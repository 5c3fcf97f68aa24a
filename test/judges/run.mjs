// `node test/judges/run.mjs`: lets programs of others judge docs/openapi.json and the sandbox. One line per judge on
// stdout; what a judge has to say goes to stderr. Exit code 1 when one of them objects.
import { installOwn } from '../../scripts/install-own.mjs';
import { makeReady } from '../../scripts/make-ready.mjs';

const folder = import.meta.dirname;

makeReady();
installOwn(folder, 'the judges');
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
  const note = verdict.note === undefined ? '' : `: ${verdict.note}`;
  process.stdout.write(`${name}: ${word} (${seconds} s)${note}\n`);
}
process.exitCode = objections === 0 ? 0 : 1;
