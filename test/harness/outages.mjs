import { runHarness } from './harness.mjs';

await runHarness({
  name: 'outages',
  about:
    'Runs outages against real receivers and real stores, and checks whether anything was lost or doubled.',
  help: '  --rounds N       rounds on each store (default: 20)\n',
  options: { rounds: { type: 'string', default: '20' } },
  importPlan: () => import('./outages/plan.mjs'),
});
