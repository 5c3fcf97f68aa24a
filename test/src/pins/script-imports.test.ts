import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { expect, it } from 'vitest';

import { root } from './picture.ts';

/** Scripts are not compiled: only a run would find an import of a file that was moved. */
const scripts = execFileSync('git', ['ls-files', '*.mjs'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

/** The file that has to be there: of a built one its source. */
function toSource(path: string): string {
  return path.replace(/\/dist\/(.*)\.js$/, '/src/$1.ts');
}

it('scripts import files that are there', () => {
  expect(scripts.length).toBeGreaterThan(50);
  const missing = scripts.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const imported = [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(
      ([, name = '']) => name,
    );
    return imported
      .filter((name) => !existsSync(join(root, toSource(normalize(join(dirname(path), name))))))
      .map((name) => `${path}: ${name}`);
  });
  expect(missing).toEqual([]);
});
