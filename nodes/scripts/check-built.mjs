// `npm pack` and `npm publish` run this first: a package without its bundles, or with old ones, is not packed.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..');
const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const bundles = [...n8n.nodes, ...n8n.credentials];

const missing = [...bundles, 'dist/icons'].find((file) => !existsSync(join(folder, file)));
if (missing !== undefined) refuse(`${missing} is missing`);
const oldest = Math.min(...bundles.map(modifiedMs));
const newer = ['nodes', 'credentials', 'icons'].flatMap(listFiles).find((file) => modifiedMs(file) > oldest);
if (newer !== undefined) refuse(`${newer} was changed since the build`);

function refuse(reason) {
  process.stderr.write(`Nothing was packed: ${reason}. First run: npm run build\n`);
  process.exit(1);
}

function listFiles(name) {
  const files = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' });
  return files.map((file) => join(name, file)).filter((file) => statSync(join(folder, file)).isFile());
}

function modifiedMs(file) {
  return statSync(join(folder, file)).mtimeMs;
}
