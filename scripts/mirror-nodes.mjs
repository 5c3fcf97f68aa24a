// `node scripts/mirror-nodes.mjs FOLDER`: puts the n8n package into its own repository, of which FOLDER is a clone (or a folder that
// is not there yet). n8n verifies no package that is part of a larger repository, and npm's provenance has to name the repository
// in which it was built. `git subtree` would bring nodes/ alone: the bundles also hold parts of three packages beside it.
// Commits; pushes nothing.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
/** What is bundled, and so belongs to the source that n8n reads. */
const bundled = ['client', 'contract', 'webhooks'];
const sources = ['nodes', 'tsconfig.base.json', ...bundled.map((name) => `packages/${name}`)];
/** n8n's linter, with the lock file that the tests use. */
const lint = ['package.json', 'package-lock.json', '.npmrc'].map((name) => `test/n8n/lint/${name}`);

const [given] = process.argv.slice(2);
if (given === undefined) refuse('say where: node scripts/mirror-nodes.mjs FOLDER');
const mirror = resolve(given);
const temporary = mkdtempSync(join(tmpdir(), 'aftermeet-mirror-'));
try {
  if (git(root, 'status', '--porcelain', '--', ...sources, ...lint) !== '') {
    refuse('there are changes that are not committed: the mirror is made of a commit');
  }
  refuseOthers();
  takeOut();
  if (!existsSync(join(mirror, '.git'))) git(root, 'init', '--quiet', '--initial-branch=main', mirror);
  else if (git(mirror, 'status', '--porcelain') !== '')
    refuse(`${mirror} has changes that are not committed`);
  clear();
  layOut();
  commit();
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** Everything in the folder is replaced: it has to be empty, or the mirror. */
function refuseOthers() {
  if (!existsSync(mirror) || readdirSync(mirror).every((name) => name === '.git')) return;
  const manifest = join(mirror, 'package.json');
  const name = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).name : undefined;
  if (
    name !== 'n8n-nodes-aftermeet' ||
    !existsSync(join(mirror, '.git')) ||
    !existsSync(join(mirror, 'bundled'))
  ) {
    refuse(`${mirror} is neither empty nor a clone of the mirror, and all that is in it would be removed`);
  }
}

/** The sources as they are committed, without what a build or an installation left among them. */
function takeOut() {
  const archive = join(temporary, 'sources.tar');
  git(root, 'archive', '--output', archive, 'HEAD', ...sources, ...lint);
  run('tar', ['-xf', archive, '-C', temporary], root);
  rmSync(archive);
}

function clear() {
  for (const name of readdirSync(mirror)) {
    if (name !== '.git') rmSync(join(mirror, name), { recursive: true, force: true });
  }
}

function layOut() {
  cpSync(join(temporary, 'nodes'), mirror, { recursive: true });
  cpSync(join(temporary, 'tsconfig.base.json'), join(mirror, 'tsconfig.base.json'));
  cpSync(join(temporary, 'test/n8n/lint'), join(mirror, 'lint'), { recursive: true });
  const tsconfig = readFileSync(join(mirror, 'tsconfig.json'), 'utf8');
  writeFileSync(
    join(mirror, 'tsconfig.json'),
    tsconfig.replaceAll('"../packages/', '"./bundled/').replaceAll('"../', '"./'),
  );
  for (const name of bundled) copyBundled(name);
  changeJson(join(mirror, 'package.json'), (manifest) => ({
    ...manifest,
    devDependencies: Object.fromEntries(
      Object.entries(manifest.devDependencies).map(([name, version]) => [
        name,
        name.startsWith('@aftermeet/') ? `file:bundled/${name.replace('@aftermeet/', '')}` : version,
      ]),
    ),
  }));
  writeFileSync(join(mirror, '.gitignore'), 'node_modules/\n/dist/\n/*.tgz\n*.tsbuildinfo\n');
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], mirror);
}

/** Sources without tests, and a manifest whose exports are these sources; nothing of it is installed or run by itself. */
function copyBundled(name) {
  const from = join(temporary, 'packages', name);
  const to = join(mirror, 'bundled', name);
  mkdirSync(to, { recursive: true });
  cpSync(join(from, 'src'), join(to, 'src'), {
    recursive: true,
    filter: (path) => !/\.test\.ts$|__snapshots__/.test(path),
  });
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(from, file), join(to, file));
  changeJson(
    join(to, 'package.json'),
    ({ name: full, version, license, type, sideEffects, exports, dependencies }) => ({
      name: full,
      version,
      private: true,
      license,
      type,
      sideEffects,
      dependencies,
      exports: Object.fromEntries(
        Object.entries(exports).map(([path, target]) => [path, target['@aftermeet/source']]),
      ),
    }),
  );
}

function commit() {
  const { version, repository } = JSON.parse(readFileSync(join(mirror, 'package.json'), 'utf8'));
  const from = git(root, 'rev-parse', '--short=12', 'HEAD');
  git(mirror, 'add', '--all');
  if (git(mirror, 'status', '--porcelain') === '') {
    process.stdout.write(`${mirror} is as this commit has it\n`);
    return;
  }
  git(mirror, 'commit', '--quiet', '-m', `n8n-nodes-aftermeet ${version}, of ${from}`);
  process.stdout.write(
    `${mirror}: committed what ${from} has. Its home is ${repository.url}. To release ${version}, there: npm ci && npm run release\n`,
  );
}

function changeJson(path, change) {
  writeFileSync(path, `${JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8'))), null, 2)}\n`);
}

function git(folder, ...words) {
  return run('git', words, folder).trim();
}

function run(program, words, cwd) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd,
    encoding: 'utf8',
    shell: program === 'npm' && process.platform === 'win32',
  });
  if (status !== 0) refuse(`${program} ${words[0]} ended with ${String(status)}: ${stderr.trim()}`);
  return stdout;
}

function refuse(reason) {
  throw new Error(`No mirror: ${reason}`);
}
