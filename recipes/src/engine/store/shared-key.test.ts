import { openBackend, silentLog } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { openSharedStore } from './open-stores.ts';
import { openSharedKey } from './shared-key.ts';

describeEachStore(
  'a key of an installation',
  (kind) => {
    it('is made once, whoever asks first', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      const shared = await openSharedStore(backend);
      const keys = await Promise.all([1, 2, 3].map(() => openSharedKey(shared, 'approval-key', Date.now())));
      expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(new Set([...keys, await openSharedKey(shared, 'approval-key', Date.now())]).size).toBe(1);
      await shared.close();
      await backend.close();
      await store.dispose();
    });
  },
  ['redis', 'postgres'],
);
