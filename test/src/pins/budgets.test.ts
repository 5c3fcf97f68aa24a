import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { packageNames, root } from './picture.ts';

const entrySchema = z.object({
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

const { packages: lock } = z
  .object({ packages: z.record(z.string(), entrySchema) })
  .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));

/** Where npm put a package that the one at `from` asks for. */
function find(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    const entry = lock[path];
    if (entry !== undefined) return entry.link === true ? entry.resolved : path;
    if (at === '') return undefined;
  }
}

/** The packages that an installation of the one in this folder brings, without the binaries of each platform. */
function listInstalled(folder: string, seen = new Set<string>()): ReadonlySet<string> {
  for (const name of Object.keys(lock[folder]?.dependencies ?? {})) {
    const path = find(name, folder);
    if (path === undefined) throw new Error(`${name} of ${folder} is not in package-lock.json`);
    if (seen.has(path)) continue;
    seen.add(path);
    listInstalled(path, seen);
  }
  return seen;
}

/** Bytes, minified: what is loaded at first, and all with what is loaded when it is needed. */
async function bundleSize(
  folder: string,
  code: string,
): Promise<{ readonly first: number; readonly all: number }> {
  const entry = join(root, folder, 'entry.js');
  const build = await rolldown({
    input: entry,
    platform: 'node',
    logLevel: 'silent',
    resolve: { conditionNames: ['@aftermeet/source', 'import', 'default'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const chunks = output.filter((part) => part.type === 'chunk');
  const needed = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const name of needed) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      needed.add(imported);
  }
  const measure = (counted: typeof chunks): number =>
    counted.reduce((sum, { code: text }) => sum + Buffer.byteLength(text), 0);
  return { first: measure(chunks.filter(({ fileName }) => needed.has(fileName))), all: measure(chunks) };
}

/** What the packages may bring with them. Grow a number knowingly. */
describe('budgets', () => {
  it.each([
    ['packages/webhooks', 0],
    ['packages/contract', 2],
    ['packages/client', 10],
    ['packages/cli', 70],
    ['nodes', 0],
  ] as const)('an installation of %s brings at most %i packages', (folder, most) => {
    const installed = listInstalled(folder);
    expect(installed.size).toBeLessThanOrEqual(most);
    // The command has our other packages in its bundle.
    if (folder === 'packages/cli') {
      expect([...installed].filter((path) => path in packageNames)).toEqual([]);
    }
  });

  it('the client has at most six dependencies of its own', () => {
    expect(Object.keys(lock['packages/client']?.dependencies ?? {}).length).toBeLessThanOrEqual(6);
  });

  it('verifying a delivery takes 3 KB', async () => {
    const code = "import { verifyDelivery } from '@aftermeet/webhooks'; globalThis.verify = verifyDelivery;";
    const { all } = await bundleSize('packages/webhooks', code);
    expect(all).toBeGreaterThan(500);
    expect(all).toBeLessThanOrEqual(3_072);
  });

  it('a client takes 64 KB, and 200 KB with uploads, downloads, reports and MCP', async () => {
    const code = "import { createClient } from '@aftermeet/client'; globalThis.create = createClient;";
    const { first, all } = await bundleSize('packages/client', code);
    expect(first).toBeGreaterThan(10_000);
    expect(first).toBeLessThanOrEqual(65_536);
    expect(all).toBeLessThanOrEqual(204_800);
  });
});
