// `npm run build`: types and libraries (tsc -b), the bundled command and the bundled n8n nodes, all at the same time.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const codes = await Promise.all([
  run('node_modules/typescript/bin/tsc', '-b'),
  run('scripts/build-command.mjs'),
  run('nodes/scripts/build.mjs'),
]);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

function run(program, ...words) {
  const child = spawn(process.execPath, [join(root, program), ...words], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => child.once('close', resolve));
}
