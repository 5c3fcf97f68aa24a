import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

// Tests run on the sources: the condition stands twice because vitest resolves its own
// transforms and Node's imports apart.
const conditions = ['@aftermeet/source', 'node', 'default'];

const n8nWorkflow = createRequire(join(import.meta.dirname, 'nodes', 'package.json')).resolve('n8n-workflow');

/** Where CI wants the counts, as JSON. */
const resultsFile = process.env['AFTERMEET_TEST_RESULTS'];

/** `npm run test:all`. */
const isFullRun = process.env['AFTERMEET_TEST'] === 'all';

/**
 * Only in the full run: the stories, what starts and kills servers or waits by the clock, and what reads every source.
 */
const slowTests = [
  'test/src/stories/*.test.ts',
  'packages/queue/src/{embedded/embedded,namespace-claim,outage,redis-names,two-workers,wrong-clock}.test.ts',
  'test/src/pins/unknown-keys.test.ts',
];

export default defineConfig({
  resolve: {
    conditions,
    // As n8n loads it. Its other form is one that Node takes for CommonJS, so that vitest would transform each of its files.
    alias: { 'n8n-workflow': n8nWorkflow },
  },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['{packages/*,receiver,recipes,test}/src/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...(isFullRun ? [] : slowTests)],
    globalSetup: ['test/src/support/global-setup.ts'],
    setupFiles: ['test/src/support/property-runs.ts'],
    reporters: [
      'default',
      ...(resultsFile === undefined ? [] : ['json']),
      './test/src/support/missing-suites-reporter.ts',
    ],
    ...(resultsFile === undefined ? {} : { outputFile: { json: resultsFile } }),
    // Many tests wait for servers more than they compute.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // No module of ours keeps state, and loading them for each file again costs half a minute.
    isolate: false,
    // A machine that is slow, or has other work, takes three times as long.
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
