import { openBackend, silentLog } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { leaseMs, requestAt } from '../../testing/effect-requests.ts';
import { openLedger } from '../store/open-stores.ts';

const FAST_MS = 5 * 60_000;

describeEachStore(
  'a lease',
  (kind) => {
    it('is not over for a worker whose clock is fast', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      const fastClock = (): number => Date.now() + FAST_MS;
      const right = await openLedger(backend, silentLog);
      const fast = await openLedger(backend, silentLog, { machineClock: fastClock });
      try {
        const nowMs = Date.now();
        expect(await right.claim('k', requestAt(nowMs))).toMatchObject({ state: 'claimed' });
        const claim = await fast.claim('k', requestAt(nowMs + FAST_MS));
        expect(claim.state).toBe('busy');
        // In the time of the asking worker.
        const leftMs = claim.state === 'busy' ? claim.untilMs - (nowMs + FAST_MS) : 0;
        expect(Math.abs(leftMs - leaseMs)).toBeLessThan(1000);
      } finally {
        await Promise.all([right.close(), fast.close()]);
        await backend.close();
        await store.dispose();
      }
    });
  },
  ['redis', 'postgres'],
);
