import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const copied = [
  'packages/contract',
  'packages/pages',
  'packages/queue',
  'packages/webhooks',
  'receiver',
  'test/src',
  'test/vectors',
  'test/mutants',
];

/**
 * Copies what the tests need to `target`, where Stryker may write into the sources. `node_modules` is made of links:
 * those of the project's own packages lead into the copy, or the tests would load what was not changed.
 */
export function makeCopy(root, target) {
  for (const folder of copied) {
    cpSync(join(root, folder), join(target, folder), {
      recursive: true,
      filter: (path) => !/[/\\](?:node_modules|dist)(?:[/\\]|$)/.test(path.slice(root.length)),
    });
  }
  for (const file of ['package.json', 'test/package.json', 'tsconfig.base.json']) {
    cpSync(join(root, file), join(target, file));
  }
  const own = join(root, 'test/mutants/node_modules');
  link(own, join(target, 'test/mutants/node_modules'));
  const modules = join(target, 'node_modules');
  mkdirSync(join(modules, '@aftermeet'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (['@aftermeet', 'aftermeet', 'vitest'].includes(name)) continue;
    link(join(root, 'node_modules', name), join(modules, name));
  }
  // Stryker and the tests must load the same vitest.
  link(
    join(existsSync(join(own, 'vitest')) ? own : join(root, 'node_modules'), 'vitest'),
    join(modules, 'vitest'),
  );
  for (const folder of ['packages/contract', 'packages/queue', 'packages/webhooks', 'receiver', 'test']) {
    link(join(target, folder), join(modules, '@aftermeet', folder.split('/').at(-1)));
  }
}

/** A junction on Windows, where a link to a folder asks for rights. */
function link(to, path) {
  symlinkSync(to, path, 'junction');
}
