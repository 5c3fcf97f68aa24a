import { type Backend, type EventJob, openBackend, silentLog, startJobWorker } from '@aftermeet/queue';
import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { hashTarget } from '../engine/effect-key.ts';
import type { EffectFacts } from '../engine/ledger/ledger.ts';
import { findDeliveries, readDelivery } from './deliveries.ts';
import { findEffect, listEffects, attentionStates } from './effects.ts';
import { createPlanner, openOperatorTools, type OperatorTools } from './operator-tools.ts';
import { retryEffect, settleEffect, traceEffect } from './repair.ts';
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
    let store: TestStore;
    let backend: Backend;
    let tools: OperatorTools & { close(): Promise<void> };
    const closing: { close(): Promise<void> }[] = [];

    beforeAll(async () => {
      store = await openTestStore(storeKind);
      backend = await openBackend(store.queueUrl, { log: silentLog });
      tools = await openOperatorTools(backend);
      closing.push(
        startJobWorker(backend, 'event', async () => ({ kind: 'done' }), { concurrency: 4, log: silentLog }),
      );
    });

    afterAll(async () => {
      for (const part of closing) await part.close();
      await tools.close();
      await backend.close();
      await store.dispose();
    });

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

    /** Has the ledger know an effect in this state, as if a worker had tried it. */
    async function settle(
      effect: Awaited<ReturnType<typeof deliver>>['effect'],
      state: 'failed' | 'parked' | 'unknown',
    ) {
      const nowMs = Date.now();
      const facts: EffectFacts = {
        recipe: effect.recipe,
        destination: effect.destination,
        eventKind: effect.event.kind,
        meetingId: effect.event.meetingId,
        occurrence: effect.event.occurrence,
        targetHash: hashTarget(effect.target),
        part: effect.part,
        traceId: effect.traceId ?? '',
        receivedAtMs: Date.parse(effect.event.receivedAt),
      };
      const request = { nowMs, leaseMs: 1000, facts, isTraceComplete: true, earliestMs: nowMs };
      const claim = await tools.ledger.claim(effect.effectKey, request);
      if (claim.state !== 'claimed') throw new Error(`it is ${claim.state}`);
      await tools.ledger.settle(effect.effectKey, claim.fence, { state, cause: 'a test' }, { nowMs, facts });
      return await readEntry(effect.effectKey);
    }

    async function readEntry(effectKey: string) {
      const entry = await tools.ledger.read(effectKey, Date.now());
      if (entry === undefined) throw new Error('the ledger knows it');
      return entry;
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

    it('tries what has failed again, also when its job is gone', async () => {
      const { effect } = await deliver('m_2');
      const entry = await settle(effect, 'failed');
      expect(await traceEffect(entry, tools)).toEqual({ entry });
      expect(await retryEffect(entry, tools)).toBe('job_gone');
      expect(await retryEffect(entry, { ...tools, plan })).toBe('again');
      expect(await readEntry(effect.effectKey)).toMatchObject({ state: 'pending' });
      expect(await jobState(effect.effectKey)).toBe('waiting');
      expect(await retryEffect(await readEntry(effect.effectKey), tools)).toBe('waiting');
    });

    it('has one that sleeps looked at now', async () => {
      const { effect } = await deliver('m_3');
      const entry = await settle(effect, 'unknown');
      await tools.queue.addEffects([{ job: effect, delayMs: 3_600_000 }]);
      expect(await jobState(effect.effectKey)).toBe('delayed');
      expect(await retryEffect(entry, tools)).toBe('again');
      expect(await jobState(effect.effectKey)).toBe('waiting');
      expect(await readEntry(effect.effectKey)).toMatchObject({ state: 'unknown' });
    });

    it('settles what is parked', async () => {
      const { effect } = await deliver('m_4');
      const entry = await settle(effect, 'parked');
      expect(await settleEffect(entry, 'sent', tools)).toEqual({ kind: 'settled' });
      expect(await readEntry(effect.effectKey)).toMatchObject({ state: 'sent' });
      expect(await settleEffect(entry, 'not_sent', tools)).toEqual({ kind: 'not_open', state: 'sent' });
      const other = await settle((await deliver('m_5')).effect, 'parked');
      const outcome = await settleEffect(other, 'not_sent', { ...tools, plan });
      expect(outcome).toEqual({ kind: 'settled', retried: 'again' });
      expect(await readEntry(other.effectKey)).toMatchObject({ state: 'pending' });
    });

    it('lists and finds what needs a person', async () => {
      const entry = await settle((await deliver('m_6')).effect, 'failed');
      const listed: string[] = [];
      for await (const { effectKey } of listEffects(
        { states: attentionStates, meetingId: 'm_6' },
        tools.ledger,
      )) {
        listed.push(effectKey);
      }
      expect(listed).toEqual([entry.effectKey]);
      const found = await findEffect(entry.effectKey.slice(0, 12), tools);
      expect(found).toMatchObject({ kind: 'found', value: { effectKey: entry.effectKey, cause: 'a test' } });
    });
  },
  ['redis', 'postgres'],
);
