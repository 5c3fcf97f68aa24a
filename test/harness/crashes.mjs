import { runHarness } from './harness.mjs';

await runHarness({
  name: 'crashes',
  about: `Sends meetings to Slack, Notion and mail while workers and the store are killed, workers are stopped for a while and have
wrong clocks, and checks whether anything is missing or there twice.`,
  help: `  --quick          150 meetings and 15 kills; then the same without a ledger, which must show duplicates
`,
  options: { quick: { type: 'boolean', default: false } },
  importPlan: () => import('./crashes/plan.mjs'),
});
