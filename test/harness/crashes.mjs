import { runHarness } from './harness.mjs';

await runHarness({
  name: 'crashes',
  about: `Sends meetings to Slack, Notion and mail while workers and the store are killed, workers are stopped for a while and have
wrong clocks, and checks whether anything is missing or there twice.`,
  help: `  --meetings N     meetings, each with a message, a reply to it, a page and a mail (default: 2000)
  --kills N        workers that get SIGKILL (default: 200)
  --restarts N     times that the store is killed and started again (default: 5)
  --freezes N      workers that are stopped for a while in whatever they do (default: 4)
  --ledger off     with a ledger that keeps nothing: the run must fail, with duplicates
  --quick          150 meetings and 15 kills; then the same without a ledger, which must show duplicates
`,
  counts: ['meetings', 'kills', 'restarts', 'freezes'],
  options: {
    ledger: { type: 'string', default: 'on' },
    quick: { type: 'boolean', default: false },
  },
  importPlan: () => import('./crashes/plan.mjs'),
});
