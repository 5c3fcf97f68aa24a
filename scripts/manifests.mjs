// `npm run manifests`: writes what every published package has in common into its package.json, and the LICENSE beside it.
// The root's package.json is where the repository, the licence, the author and the oldest Node are set.
// With `--check` it writes nothing and fails when a package lacks something.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './make-ready.mjs';
import { publishedFolders } from './published.mjs';

const isCheck = process.argv.includes('--check');
const main = readManifest('.');
const home = main.repository.url.replace(/^git\+|\.git$/g, '');
const problems = publishedFolders.flatMap((folder) => [...complete(folder), ...findMissing(folder)]);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Writes the common fields and the licence; with `--check` it returns what it would write. */
function complete(folder) {
  const manifest = readManifest(folder);
  const completed = { ...manifest, ...commonFields(folder, manifest) };
  const files = {
    'package.json': `${JSON.stringify(completed, undefined, 2)}\n`,
    LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
  };
  return Object.entries(files).flatMap(([name, text]) => {
    const path = join(root, folder, name);
    if (existsSync(path) && isSame(name, readFileSync(path, 'utf8'), text)) return [];
    if (isCheck) return [`${folder}/${name} is stale: run npm run manifests`];
    writeFileSync(path, text);
    return [];
  });
}

/** The formatter orders the fields of a manifest. */
function isSame(name, one, other) {
  return name === 'package.json' ? sortFields(one) === sortFields(other) : one === other;
}

function sortFields(text) {
  return JSON.stringify(Object.entries(JSON.parse(text)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function commonFields(folder, { engines, homepage, repository }) {
  // n8n verifies only a package that has a repository of its own (scripts/mirror-nodes.mjs), and brings its own Node.
  const isMirrored = folder === 'nodes';
  return {
    homepage: isMirrored ? homepage : `${home}/tree/main/${folder}#readme`,
    bugs: { url: `${home}/issues` },
    license: main.license,
    author: main.author,
    repository: isMirrored ? repository : { ...main.repository, directory: folder },
    publishConfig: { access: 'public', provenance: true },
    engines: isMirrored ? engines : main.engines,
  };
}

function findMissing(folder) {
  const { name, description = '', keywords = [], files = [], private: isPrivate } = readManifest(folder);
  const readme = join(root, folder, 'README.md');
  const page = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
  return [
    description === '' ? 'no description' : undefined,
    keywords.length < 3 ? 'fewer than three keywords' : undefined,
    files.length === 0 ? 'no files' : undefined,
    isPrivate === true ? 'private: nothing would publish it' : undefined,
    page.startsWith('# ') && page.includes(name) ? undefined : `no README.md that names ${name}`,
  ].flatMap((problem) => (problem === undefined ? [] : [`${folder}: ${problem}`]));
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}
