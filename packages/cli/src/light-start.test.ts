import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';

import { describe, expect, it } from 'vitest';

/** What is loaded before any command runs: the imports of the file and of those that it imports, without lazy ones. */
function listLoaded(file: URL, seen = new Map<string, ReadonlySet<string>>()): ReadonlySet<string> {
  const known = seen.get(file.href);
  if (known !== undefined) return known;
  const packages = new Set<string>();
  seen.set(file.href, packages);
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^(?:import|export) (?!type )(?:[^'";]*? from )?'([^']+)';/gm);
  for (const [, name = ''] of imports) {
    if (name.startsWith('.')) {
      for (const loaded of listLoaded(new URL(name, file), seen)) packages.add(loaded);
    } else if (!isBuiltin(name)) packages.add(name);
  }
  return packages;
}

describe('the start of a command', () => {
  it('loads no more than the reader of command lines', () => {
    expect([...listLoaded(new URL('main.ts', import.meta.url))]).toEqual([
      'commander',
      'string-width',
      '@aftermeet/contract',
      '@aftermeet/sandbox/control',
    ]);
  });

  it('loads the control of the sandbox as a table alone', () => {
    const table = new URL('../../sandbox/src/control/actions.ts', import.meta.url);
    expect([...listLoaded(table)]).toEqual(['@aftermeet/contract']);
  });

  it.each(['settings/service.ts', 'service/with-service.ts'])(
    'that calls the service loads neither queue nor recipes: %s',
    (file) => {
      const loaded = [...listLoaded(new URL(file, import.meta.url))];
      expect(
        loaded.filter((name) => !['commander', 'string-width', 'zod', '@aftermeet/contract'].includes(name)),
      ).toEqual([]);
    },
  );
});
