import type { EffectJob } from '@aftermeet/queue';

import { settlePolicies } from '../destinations/index.ts';
import { noAlertThrottle } from '../engine/alert-throttle.ts';
import type { DeliveryTools } from '../engine/deliver.ts';
import { recordJournal } from './record-journal.ts';
import { recordLog } from './record-log.ts';

/** Tools that the test provides. */
type OwnTools = Pick<DeliveryTools, 'recipes' | 'connectors' | 'ledger' | 'digests' | 'clock'>;

/** Delivery tools without delays: every slot is free, the key is valid, and alerts are dropped. */
export function createTestTools(own: OwnTools, queued: EffectJob[]): DeliveryTools {
  const { clock } = own;
  return {
    ...own,
    log: recordLog(),
    journal: recordJournal(),
    workerName: 'test:1',
    random: () => 1,
    workspace: 'active',
    rateLimits: {
      reserve: async (rateLimits) => rateLimits.map(() => ({ slotMs: clock(), atMs: clock(), place: 1 })),
      enter: async () => ({ kind: 'go' }),
      leave: async () => {},
      pause: async () => ({ slotMs: clock(), atMs: clock(), place: 1 }),
      sweep: async () => {},
      close: async () => {},
    },
    policies: settlePolicies(),
    queue: {
      addEffects: async (added) => void queued.push(...added.map(({ job }) => job)),
      findQueued: async () => new Set<string>(),
    },
    keyWatch: {
      waitMs: () => 0,
      refused: async () => ({ isFirst: true, episode: 'e', waitMs: 30_000 }),
      accepted: async () => {},
    },
    gate: { enter: () => ({ kind: 'go', leave: () => {} }) },
    onKeyRefused: async () => {},
    pauses: () => ({
      refused: async () => ({ isFirst: true, episode: 'e', waitMs: 30_000 }),
      accepted: async () => {},
    }),
    suppressions: { covers: () => false },
    linkUnsubscribe: () => undefined,
    handPauses: { isPaused: () => false, watch: () => {} },
    findEdit: () => Promise.resolve(undefined),
    askForApproval: () => Promise.resolve(),
    onPaused: async () => {},
    alertOfEffect: async () => {},
    alertOfEmptiness: async () => {},
    alertThrottle: noAlertThrottle,
    periods: { read: async () => [] },
    observe: () => {},
  };
}
