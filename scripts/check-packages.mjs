// `npm run packages`: packs every published package and looks at it as its users get it: the files, the manifest (publint),
// the types (@arethetypeswrong/cli). With a folder the tarballs are left there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { makeReady, root } from './make-ready.mjs';
import { packAll } from './published.mjs';

makeReady();
const [given] = process.argv.slice(2);
if (given?.startsWith('-')) {
  process.stderr.write(
    'Usage: npm run packages [FOLDER]: packs and checks every package; FOLDER keeps the tarballs.\n',
  );
  process.exit(2);
}
const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'aftermeet-packages-')) : resolve(given);
/** Without modules to import: a command, and nodes that n8n loads by path. */
const withoutTypes = ['aftermeet', 'n8n-nodes-aftermeet'];
let failed = 0;
try {
  for (const packed of packAll(folder)) check(packed);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;

function check({ name, tarball, files }) {
  const problems = [
    ...findWrongFiles(files),
    ...run('node_modules/publint/src/cli.js', tarball, '--strict'),
    ...(withoutTypes.includes(name)
      ? []
      : run('node_modules/@arethetypeswrong/cli/dist/index.js', tarball, '--profile=esm-only')),
  ];
  failed += problems.length;
  process.stdout.write(`${name}: ${problems.length === 0 ? `fine, ${files.length} files` : 'not fine'}\n`);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
}

function findWrongFiles(files) {
  const missing = ['LICENSE', 'README.md', 'package.json'].filter((file) => !files.includes(file));
  const wrong = files.filter((file) => /\.tsbuildinfo$|\.map$|\.test\.|__snapshots__/.test(file));
  return [
    ...missing.map((file) => `  ${file} is missing`),
    ...wrong.map((file) => `  ${file} is not for users`),
  ];
}

function run(program, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...words], {
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
}
