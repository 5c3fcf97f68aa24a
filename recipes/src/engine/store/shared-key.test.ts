import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { useSharedStore } from '../../testing/use-ledger.ts';
import { openSharedKey } from './shared-key.ts';

describeEachStore(
  'a key of an installation',
  (kind) => {
    const open = useSharedStore(() => openTestStore(kind));
    it('is made once, whoever asks first', async () => {
      const { opened: shared } = open();
      const keys = await Promise.all([1, 2, 3].map(() => openSharedKey(shared, 'approval-key', Date.now())));
      expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(new Set([...keys, await openSharedKey(shared, 'approval-key', Date.now())]).size).toBe(1);
    });
  },
  ['redis', 'postgres'],
);
