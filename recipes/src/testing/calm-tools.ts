import type { EffectJob } from '@aftermeet/queue';

import { openAlertGate } from '../alert-gate.ts';
import { usualPolicies } from '../pace/policy.ts';
import type { RecipeTools } from '../recipe-tools.ts';
import { keepLog } from './keep-log.ts';

/** What a test brings along itself. */
type OwnTools = Pick<RecipeTools, 'recipes' | 'carriers' | 'ledger' | 'digests' | 'clock'>;

/** The tools of effects where nothing is in the way: every turn has come, the key is good, and nobody hears of alerts. */
export function createCalmTools(own: OwnTools, queued: EffectJob[]): RecipeTools {
  const { clock } = own;
  return {
    ...own,
    log: keepLog(),
    random: () => 1,
    workspace: 'active',
    lanes: {
      reserve: async (lanes) => lanes.map(() => ({ turnMs: clock(), atMs: clock() })),
      enter: async () => ({ kind: 'go' }),
      pause: async () => ({ turnMs: clock(), atMs: clock() }),
      sweep: async () => {},
      close: async () => {},
    },
    policies: usualPolicies,
    queue: { addEffects: async (added) => void queued.push(...added.map(({ job }) => job)) },
    keyWatch: {
      waitMs: () => 0,
      refused: async () => ({ isFirst: true, episode: 'e', waitMs: 30_000 }),
      accepted: async () => {},
    },
    gate: { enter: () => ({ kind: 'go', leave: () => {} }) },
    onKeyRefused: async () => {},
    alertOfFailure: async () => {},
    alertOfEmptiness: async () => {},
    alertGate: openAlertGate,
    periods: { read: async () => [] },
    observe: () => {},
  };
}
