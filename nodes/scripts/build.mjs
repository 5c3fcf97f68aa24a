// `npm run build`: bundles the nodes into dist: CommonJS, one file for each node and credential, nothing left to require but n8n's
// own. Icons and codex files go beside them. Types are checked by `tsc -b` in the project, which this does not do.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

const folder = join(import.meta.dirname, '..');
const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

for (const name of ['nodes', 'credentials', 'icons'])
  rmSync(join(folder, 'dist', name), { recursive: true, force: true });
for (const file of [...n8n.nodes, ...n8n.credentials]) await bundle(file);
cpSync(join(folder, 'icons'), join(folder, 'dist/icons'), { recursive: true });
for (const name of readdirSync(join(folder, 'nodes'), { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.node.json')) cpSync(join(folder, 'nodes', name), join(folder, 'dist/nodes', name));
}

/** `file` is where the manifest says that n8n finds it. */
async function bundle(file) {
  const source = join(folder, file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
  const build = await rolldown({
    input: source,
    platform: 'node',
    external: ['n8n-workflow', /^node:/],
    resolve: { conditionNames: ['@aftermeet/source', 'import', 'node', 'default'] },
    onLog(level, log) {
      // A module that is not found would be required at run time, where it is not.
      throw new Error(`${file}: ${level}: ${log.message}`);
    },
  });
  await build.write({
    file: join(folder, file),
    format: 'cjs',
    exports: 'named',
    comments: false,
    codeSplitting: false,
  });
  await build.close();
}
