import { join } from 'node:path';

import { type OutputChunk, rolldown } from 'rolldown';
import { expect, it } from 'vitest';

import { root } from './picture.ts';

/** About 65 KB were measured, of which croner has 12. Grow it knowingly. */
const MAX_FIRST_BYTES = 75_000;

/** `import { createClient } from '@aftermeet/client'` as a bundler for browsers packs it. */
async function bundleClient(): Promise<readonly OutputChunk[]> {
  const entry = 'virtual:entry';
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    cwd: join(root, 'packages/client'),
    external: [/^node:/],
    logLevel: 'silent',
    resolve: { conditionNames: ['@aftermeet/source', 'browser', 'import', 'default'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? join(root, 'packages/client/entry.js') : undefined),
        load: (id) =>
          id.endsWith('client/entry.js')
            ? "import { createClient } from '@aftermeet/client'; globalThis.create = createClient;"
            : undefined,
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  return output.filter((part) => part.type === 'chunk');
}

/** The chunk and what it imports statically. */
function follow(chunks: readonly OutputChunk[], name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const chunk = chunks.find(({ fileName }) => fileName === name);
  for (const imported of chunk?.imports ?? []) follow(chunks, imported, seen);
  return seen;
}

it('the client loads without a module of Node, and little before its first call', async () => {
  const chunks = await bundleClient();
  const entry = chunks.find(({ isEntry }) => isEntry);
  const first = follow(chunks, entry?.fileName ?? '');
  expect([...first].filter((name) => name.startsWith('node:'))).toEqual([]);

  const loaded = chunks.filter(({ fileName }) => first.has(fileName));
  const bytes = loaded.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
  expect(bytes).toBeLessThan(MAX_FIRST_BYTES);

  const modules = loaded.flatMap(({ moduleIds }) => moduleIds.map((id) => id.replace(root, '')));
  const lazy =
    /client\/src\/(?:upload|download|mcp)\/|client\/src\/(?:pages|report\/read-report)\.ts|modelcontextprotocol/;
  expect(modules.filter((id) => lazy.test(id))).toEqual([]);
  // n8n's scan refuses zod in a bundle, and the nodes bundle the client.
  const all = chunks.flatMap(({ moduleIds }) => moduleIds);
  expect(all.filter((id) => id.includes('/node_modules/zod/'))).toEqual([]);
}, 60_000);
