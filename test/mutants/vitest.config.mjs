import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

const conditions = ['@aftermeet/source', 'module', 'node', 'default'];

// Read in the copy that `run.mjs` makes, once for each round.
export default defineConfig({
  resolve: {
    conditions,
    // None of these tests opens a store, and loading the drivers costs more than running the tests.
    alias: { '@aftermeet/queue': join(import.meta.dirname, 'no-queue.mjs') },
  },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: JSON.parse(process.env['AFTERMEET_MUTANTS_TESTS'] ?? '[]'),
    isolate: false,
    testTimeout: 10_000,
  },
});
