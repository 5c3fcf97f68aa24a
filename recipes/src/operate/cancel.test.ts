import type { EffectJob } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { beforeAll, expect, it } from 'vitest';

import { toSendRequest } from '../engine/record-outcome.ts';
import { useOpened } from '../testing/use-ledger.ts';
import { cancelWaiting } from './cancel.ts';
import { openOperatorTools, type OperatorTools } from './operator-tools.ts';

const RECEIVED = '2026-07-07T12:00:00.000Z';

function makeEffect(key: string, recipe: string, meetingId = 'm_1', receivedAt = RECEIVED): EffectJob {
  return {
    effectKey: key.repeat(32),
    destination: 'slack',
    recipe,
    target: 'C0123',
    part: 0,
    event: { kind: 'meeting.completed', meetingId, occurrence: RECEIVED, endpoint: 'default', receivedAt },
  };
}

const waits = makeEffect('a1', 'recap');
const delayed = makeEffect('a2', 'recap', 'm_2');
const early = makeEffect('a3', 'recap', 'm_3', '2026-07-07T10:00:00.000Z');
const other = makeEffect('a4', 'tasks');
const claimed = makeEffect('a5', 'recap', 'm_5');
const cutOff = makeEffect('a6', 'recap', 'm_6');

describeEachStore(
  'cancelling what waits',
  (kind) => {
    const open = useOpened(() => openTestStore(kind), openOperatorTools);
    let tools: OperatorTools;

    beforeAll(async () => {
      tools = open().opened;
      const jobs = [waits, early, other, claimed, cutOff].map((job) => ({ job }));
      await tools.queue.addEffects([...jobs, { job: delayed, delayMs: 60_000 }]);
      // The lease of the second one is over.
      for (const [data, agoMs] of [
        [claimed, 0],
        [cutOff, 120_000],
      ] as const) {
        const nowMs = Date.now() - agoMs;
        await tools.ledger.claim(data.effectKey, { ...request(data), nowMs, leaseMs: 60_000 });
      }
    });
    const request = (data: EffectJob) => toSendRequest({ data, startedTimes: 1 });

    async function cancel(isDryRun: boolean): Promise<readonly (readonly [string, string])[]> {
      const found: (readonly [string, string])[] = [];
      const selection = { recipe: 'recap', sinceMs: Date.parse('2026-07-07T11:00:00Z') };
      for await (const { effectKey, outcome } of cancelWaiting(selection, { isDryRun, who: 'a test' }, tools))
        found.push([effectKey.slice(0, 2), outcome]);
      return found.toSorted(([one], [another]) => one.localeCompare(another));
    }

    const outcomes = [
      ['a1', 'cancelled'],
      ['a2', 'cancelled'],
      ['a5', 'under_way'],
      ['a6', 'unclear'],
    ];

    it('counts them first, and changes nothing', async () => {
      expect(await cancel(true)).toEqual(outcomes);
      expect(await tools.ledger.read(waits.effectKey, Date.now())).toBeUndefined();
    });

    it('lets no worker send them, and leaves what it has or may have sent', async () => {
      expect(await cancel(false)).toEqual(outcomes);
      for (const data of [waits, delayed]) {
        const nowMs = Date.now();
        const claim = await tools.ledger.claim(data.effectKey, { ...request(data), nowMs, leaseMs: 1000 });
        expect(claim).toEqual({ state: 'skipped', cause: 'cancelled by hand' });
      }
      for (const { effectKey } of [early, other])
        expect(await tools.ledger.read(effectKey, Date.now())).toBeUndefined();
      expect((await tools.ledger.read(cutOff.effectKey, Date.now()))?.state).toBe('unknown');
      const again = await cancel(false);
      expect(again.slice(0, 2)).toEqual([
        ['a1', 'ended'],
        ['a2', 'ended'],
      ]);
    });
  },
  ['redis', 'postgres'],
);
