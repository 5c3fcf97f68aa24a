import { type EventJob, silentLog, startJobWorker } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { useOpened } from '../testing/use-ledger.ts';
import { findDeliveries, readDelivery } from './deliveries.ts';
import { createPlanner, openOperatorTools, type OperatorTools } from './operator-tools.ts';
import { classifyDelivery, replayDelivery } from './replay.ts';

const plan = createPlanner({
  workspace: 'active',
  endpointRecipes: {},
  destinations: { slack: { token: 'xoxb-1', channel: 'C0123' } },
  recipes: [{ name: 'recap', use: 'slack-recap', when: {}, with: {} }],
});

function writeEvent(meetingId: string): EventJob {
  const now = new Date().toISOString();
  const data = { title: `About ${meetingId}` };
  const body = JSON.stringify({ event: 'meeting.completed', meeting_id: meetingId, timestamp: now, data });
  return { endpoint: 'default', receivedAt: now, deliveryId: `header-${meetingId}`, body };
}

describeEachStore(
  'operating',
  (storeKind) => {
    const open = useOpened(() => openTestStore(storeKind), openOperatorTools);
    let tools: OperatorTools;
    let worker: { close(): Promise<void> };

    beforeAll(() => {
      tools = open().opened;
      const options = { concurrency: 4, log: silentLog };
      worker = startJobWorker(open().backend, 'event', async () => ({ kind: 'done' }), options);
    });
    afterAll(() => worker.close());

    async function deliver(meetingId: string) {
      const id = `delivery-of-${meetingId}`;
      await tools.queue.addEvent(id, writeEvent(meetingId));
      await expect
        .poll(async () => (await tools.jobAdmin.findEvent(id))?.state, { timeout: 10_000 })
        .toBe('completed');
      const job = await tools.jobAdmin.findEvent(id);
      if (job?.data === undefined) throw new Error('it is kept');
      const planned = plan(job.data, id);
      const effect = planned.ok ? planned.effects[0] : undefined;
      if (effect === undefined) throw new Error('an effect is planned');
      return { job, effect };
    }

    const jobState = async (effectKey: string) =>
      (await tools.jobAdmin.findEffect('slack', effectKey))?.state;

    it('finds a delivery by its name, and replays it once', async () => {
      const { effect } = await deliver('m_1');
      const found = await findDeliveries(
        ['delivery-of-m_1', 'delivery-of-m', 'header-m_1', 'header-m', 'delivery-of-nobody'],
        tools.jobAdmin,
      );
      expect([...found.values()].map(({ kind }) => kind)).toEqual([
        'found',
        'found',
        'found',
        'none',
        'none',
      ]);
      const named = found.get('header-m_1');
      if (named?.kind !== 'found') throw new Error('it is found');
      expect(readDelivery(named.value)).toMatchObject({
        meetingId: 'm_1',
        title: 'About m_1',
        state: 'completed',
      });

      const withPlan = { ...tools, plan };
      expect(await classifyDelivery(named.value, withPlan)).toMatchObject([{ verdict: 'new' }]);
      const verdicts = async () =>
        (await replayDelivery(named.value, {}, withPlan)).effects.map(({ verdict }) => verdict);
      expect(await verdicts()).toEqual(['new']);
      expect(await verdicts()).toEqual(['waiting']);
      expect(await jobState(effect.effectKey)).toBe('waiting');
    });
  },
  ['redis', 'postgres'],
);
