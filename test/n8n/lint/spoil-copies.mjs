// What n8n must refuse: what judges nothing would pass everything.
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const zod = join(import.meta.dirname, '../../../node_modules/zod/v4/core/core.cjs');
const source = 'nodes/Aftermeet/Aftermeet.node.ts';
const bundle = 'dist/nodes/Aftermeet/Aftermeet.node.js';

/** Each spoils the copy of the sources, the published package, or both; `says` is what has to stand among the objections. */
export const faults = [
  {
    name: 'a timer',
    says: /setTimeout.*no-restricted-globals/,
    spoilSources: (folder) => append(folder, source, 'export const late = setTimeout(() => undefined, 1);'),
    spoilPackage: (folder) => append(folder, bundle, 'setTimeout(() => undefined, 1);'),
  },
  {
    name: 'an import of a package that n8n does not have',
    says: /left-pad.*no-restricted-imports/,
    spoilSources: (folder) => append(folder, source, "import left from 'left-pad';\nexport { left };"),
    spoilPackage: (folder) => append(folder, bundle, "require('left-pad');"),
  },
  {
    name: 'a dependency',
    says: /no-runtime-dependencies/,
    spoilSources: addDependency,
    spoilPackage: addDependency,
  },
  {
    name: 'a part of zod 4',
    says: /globalThis.*no-restricted-globals/,
    spoilPackage: (folder) => cpSync(zod, join(folder, 'dist/nodes/Aftermeet/zod-core.js')),
  },
];

function append(folder, file, line) {
  appendFileSync(join(folder, file), `\n${line}\n`);
}

function addDependency(folder) {
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies: { zod: '^4' } }, null, 2));
}
