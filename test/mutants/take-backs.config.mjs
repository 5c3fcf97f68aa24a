import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

const conditions = ['@aftermeet/source', 'node', 'default'];
const root = join(import.meta.dirname, '..', '..');
const { file = '', edits = [] } = JSON.parse(process.env['AFTERMEET_TAKE_BACK'] ?? '{}');

// Read by `take-backs.mjs`, once for each correction: the sources are loaded without it.
export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  plugins: [
    {
      name: 'take-back',
      enforce: 'pre',
      transform: (code, id) =>
        id === join(root, file)
          ? edits.reduce((edited, [find, replace]) => edited.replace(find, replace), code)
          : undefined,
    },
  ],
  test: { include: ['test/src/messages/meaning.property.test.ts'] },
});
