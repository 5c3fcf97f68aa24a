import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { describe } from 'vitest';

import { checkAttempts } from '../../testing/ledger-attempts.ts';
import { checkDedupe } from '../../testing/ledger-dedupe.ts';
import { checkGroups } from '../../testing/ledger-groups.ts';
import { checkRepairs } from '../../testing/ledger-repairs.ts';
import { checkCommandSequences } from '../../testing/ledger-sequences.ts';
import { useLedger } from '../../testing/use-ledger.ts';

describeEachStore('the ledger', (kind) => {
  const store = useLedger(() => openTestStore(kind));
  describe('for people', () => {
    checkRepairs(store);
  });
  describe('of one effect', () => {
    checkAttempts(store);
  });
  describe('of many effects at once', () => {
    checkGroups(store);
  });
  describe('of a dedupe', () => {
    checkDedupe(store);
  });
  describe('beside its model', () => {
    checkCommandSequences(store, { canForget: kind === 'redis' });
  });
});
