// `npm run release`: checks that a release may be made from here, and makes its tag. The tag, pushed, is what publishes
// (.github/workflows/publish.yml): npm takes the provenance that n8n asks for from a workflow alone.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..');
const { version, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

if (!existsSync(join(folder, '.git'))) {
  refuse(`releases are made in the mirror (${repository.url}); node scripts/mirror-nodes.mjs makes it`);
}
if (git('status', '--porcelain') !== '') refuse('there are changes that are not committed');
if (git('tag', '--list', version) !== '') refuse(`the tag ${version} is there already: raise "version"`);
for (const script of ['lint', 'build']) run('npm', ['run', script]);
run('npm', ['publish', '--dry-run']);
git('tag', version);
process.stdout.write(`Tagged ${version}. To publish it: git push origin main ${version}\n`);

function refuse(reason) {
  process.stderr.write(`No release: ${reason}.\n`);
  process.exit(1);
}

function git(...words) {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) refuse(`git ${words[0]}: ${stderr.trim()}`);
  return stdout.trim();
}

function run(program, words) {
  const { status } = spawnSync(program, words, {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) refuse(`${program} ${words.join(' ')} failed`);
}
