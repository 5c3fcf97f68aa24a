// `npm run lint`: n8n's linter over this folder. It has 550 packages and an `overrides` of its own, which n8n refuses in the
// package.json of a node: so it is installed aside, and only linked.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const folder = join(import.meta.dirname, '..');
// In the project the tests have it; the mirror has a copy of its lock file.
const tools = [join(folder, '../test/n8n/lint'), join(folder, 'lint')].find((path) => existsSync(path));
const shell = process.platform === 'win32';

if (!existsSync(join(tools, 'node_modules/.package-lock.json'))) {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], tools);
}
// This one package, and not its whole scope: npm prunes through a link to a scope.
const link = join(folder, 'node_modules/@n8n/node-cli');
mkdirSync(join(folder, 'node_modules/@n8n'), { recursive: true });
rmSync(link, { recursive: true, force: true });
symlinkSync(join(tools, 'node_modules/@n8n/node-cli'), link, 'junction');
// What is bundled is no source of a node: n8n's linter would refuse timers and modules that never get into the bundle.
if (existsSync(join(folder, 'bundled'))) run('eslint', ['nodes', 'credentials', 'package.json'], folder);
else run('n8n-node', ['lint'], folder);

function run(program, words, cwd) {
  const env = { ...process.env, PATH: [join(tools, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
  const { status } = spawnSync(program, words, { cwd, env, stdio: 'inherit', shell });
  if (status !== 0) process.exit(status ?? 1);
}
