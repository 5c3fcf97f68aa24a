// `node test/n8n/lint/run.mjs`: n8n's linter and its scanner over the package, and over copies that they have to refuse.
// One line per judgement; exit code 1 when one is not as it has to be.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installOwn } from '../../../scripts/install-own.mjs';
import { makeReady } from '../../../scripts/make-ready.mjs';
import { packNodes, unpackNodes } from '../engine/pack-nodes.mjs';

makeReady();
installOwn(import.meta.dirname, "n8n's linter");
// Only now: in a fresh clone there is nothing to import before.
const { countFiles, lint, scanPackage, scanSources } = await import('./judge-package.mjs');
const { layOut } = await import('./lay-out.mjs');
const { faults } = await import('./spoil-copies.mjs');

const folder = mkdtempSync(join(tmpdir(), 'aftermeet-n8n-lint-'));
let failed = 0;
try {
  const sources = layOut(folder);
  const unpacked = unpackNodes(packNodes(folder), folder);
  const written = countFiles(sources, ['nodes', 'credentials'], ['.ts', '.json']);
  const published = countFiles(unpacked, ['dist'], ['.js']);
  tell(`n8n-node lint: package.json and ${written} sources`, lint(sources));
  tell(`the scanner: package.json and ${written} sources`, await scanSources(sources));
  tell(`the scanner: package.json and ${published} published files`, await scanPackage(unpacked));

  const inSources = faults.filter(({ spoilSources }) => spoilSources !== undefined);
  // In the same workspace: imports have to resolve there as well.
  const badSources = copy(sources, join(sources, '../spoiled'));
  for (const { spoilSources } of inSources) spoilSources(badSources);
  tellRefusals('n8n-node lint', inSources, lint(badSources));
  tellRefusals('the scanner, in the sources,', inSources, await scanSources(badSources));
  const badPackage = copy(unpacked, join(folder, 'spoiled'));
  for (const { spoilPackage } of faults) spoilPackage(badPackage);
  tellRefusals('the scanner, in the published package,', faults, await scanPackage(badPackage));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

function copy(from, to) {
  cpSync(from, to, { recursive: true });
  return to;
}

function tellRefusals(judge, expected, objection = 'nothing') {
  for (const { name, says } of expected) {
    tell(`${judge} refuses ${name}`, says.test(objection) ? undefined : `it objects to: ${objection}`);
  }
}

function tell(what, objection) {
  if (objection !== undefined) failed += 1;
  process.stdout.write(`${what}: ${objection === undefined ? 'passed' : `FAILED\n${objection}`}\n`);
}
