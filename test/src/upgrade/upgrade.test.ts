import { createInbox, openBackend, silentLog } from '@aftermeet/queue';
import {
  createPlanner,
  findDeliveries,
  findEffect,
  listEffects,
  openOperatorTools,
  replayDelivery,
  retryEffect,
  settleEffect,
  startWorker,
  attentionStates,
} from '@aftermeet/recipes';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import type { Connectors } from '../../../recipes/src/engine/destination.ts';
import { shortReport } from '../../../recipes/src/testing/sample-report.ts';
import { waitFor } from '../stories/wait-for.ts';
import { loadStored } from './load-stored.ts';

const withinMs = 20_000;
const destinations = {
  slack: { token: 'xoxb-1', channel: 'C0123ABCD' },
  email: { smtpUrl: 'smtp://localhost', from: 'notes@example.com', to: ['team@example.com'] },
};
const recipes = [
  { name: 'recap', use: 'slack-recap', when: {}, with: { channel: 'C0123ABCD' } },
  { name: 'weekly', use: 'email-digest', when: {}, with: { to: ['team@example.com'], at: '06:00' } },
];
const client = {
  reports: {
    get: async (meetingId: string) => ({ ready: true as const, report: { ...shortReport, meetingId } }),
  },
};

/** Takes everything, and knows of the one effect that had arrived without an answer. */
function openRecorder(arrivedKey: string) {
  const sent: string[] = [];
  const probed: string[] = [];
  const connectors: Connectors = {
    prepare: async (_rendered, { effectKey }) => ({
      result: 'ready',
      prepared: {
        timeoutMs: 1000,
        send: async () => {
          sent.push(effectKey);
          return { result: 'sent', reference: `C0123ABCD/${sent.length}` };
        },
        probe: async () => {
          probed.push(effectKey);
          return effectKey === arrivedKey
            ? { result: 'found', reference: 'C0123ABCD/0' }
            : { result: 'absent' };
        },
      },
    }),
    close: async () => {},
  };
  return { connectors, sent, probed };
}

describeEachStore(
  'data of the release before',
  (kind) => {
    it('is finished, known, listed and repaired by this one', async () => {
      const store = await openTestStore(kind);
      const { queueUrl, deliveries, effects } = await loadStored(kind === 'redis' ? kind : 'postgres', store);
      const key = (name: string): string => effects[name] ?? expect.fail(`no effect ${name}`);
      const backend = await openBackend(queueUrl, { log: silentLog });
      const tools = await openOperatorTools(backend, { log: silentLog });
      const plan = createPlanner({ workspace: 'active', recipes, endpointRecipes: {}, destinations });
      const recorder = openRecorder(key('unknown'));
      const stateOf = async (name: string) => (await tools.ledger.read(key(name), Date.now()))?.state;
      const worker = await startWorker({
        backend,
        client,
        recipes,
        destinations,
        workspace: 'active',
        policies: { slack: { gapMs: 0, graceMs: 0 } },
        connectors: recorder.connectors,
        log: silentLog,
      });
      try {
        // The effects whose jobs waited, and the one of the delivery that waited.
        for (const name of ['unknown', 'pending', 'sending', 'waiting']) {
          await waitFor(
            `${name} is sent`,
            async () => ((await stateOf(name)) === 'sent' ? true : undefined),
            withinMs,
          );
        }
        const waiting = await waitFor(
          'the delivery is planned',
          async () => {
            for await (const entry of listEffects({ states: ['sent'], meetingId: 'm_waiting' }, tools.ledger))
              return entry;
            return undefined;
          },
          withinMs,
        );
        expect(recorder.sent.toSorted()).toEqual(
          [key('pending'), key('sending'), key('waiting'), waiting.effectKey].toSorted(),
        );
        expect(recorder.probed.toSorted()).toEqual([key('sending'), key('unknown')].toSorted());

        // The recipe of the one that was to generate a report is gone.
        const removed = await waitFor(
          'regenerate ends',
          async () => {
            const entry = await tools.ledger.read(key('regenerate'), Date.now());
            return entry?.state === 'failed' ? entry : undefined;
          },
          withinMs,
        );
        expect(removed.cause).toContain('aftermeet report generate');

        // What was sent stays sent, and the same delivery is known.
        expect(await stateOf('sent')).toBe('sent');
        const inbox = await createInbox(backend, { log: silentLog });
        const done = (await findDeliveries(['d_m_done'], tools.jobAdmin)).get('d_m_done');
        if (done?.kind !== 'found' || done.value.data === undefined) expect.fail('the delivery is not found');
        expect(done.value.id).toBe(deliveries['m_done']);
        const again = { jobId: done.value.id, job: done.value.data, keepSeconds: 60 };
        expect(await inbox.accept(again)).toEqual({ kind: 'duplicate', isConflict: false });
        expect(await inbox.listRefusals(10)).toMatchObject([{ deliveryId: 'd_refused' }]);
        await inbox.close();

        // What needs a person is listed, and repaired.
        const troubled: string[] = [];
        for await (const entry of listEffects({ states: attentionStates }, tools.ledger)) {
          if (entry.destination === 'slack') troubled.push(entry.effectKey);
        }
        expect(troubled.toSorted()).toEqual([key('failed'), key('parked')].toSorted());
        const find = async (name: string) => {
          const found = await findEffect(key(name).slice(0, 10), tools);
          return found.kind === 'found' ? found.value : expect.fail(`${name} is not found`);
        };
        expect(await settleEffect(await find('parked'), 'sent', tools)).toEqual({ kind: 'settled' });
        expect(await retryEffect(await find('failed'), { ...tools, plan })).toBe('again');
        await waitFor(
          'failed is sent',
          async () => ((await stateOf('failed')) === 'sent' ? true : undefined),
          withinMs,
        );
        const replayed = await replayDelivery(done.value, {}, { ...tools, plan });
        expect(replayed.effects.map(({ verdict }) => verdict)).toEqual(['sent']);
        expect(await stateOf('skipped')).toBe('skipped');

        // What was delayed still is, with what it carries.
        const delayed = await tools.jobAdmin.findEffect('slack', key('delayed'));
        expect(delayed?.state).toBe('delayed');
        expect(delayed?.data?.obstacle).toMatchObject({ why: 'destination', times: 3 });
        expect(await tools.jobAdmin.repeatEffect('slack', key('delayed'))).toBe(true);
        await waitFor(
          'delayed is sent',
          async () => ((await stateOf('delayed')) === 'sent' ? true : undefined),
          withinMs,
        );
        expect(await tools.meetings.find(['m_done', 'm_hint'])).toMatchObject([
          { meetingId: 'm_done', completedAt: expect.any(String) },
          { meetingId: 'm_hint' },
        ]);
      } finally {
        await worker.close();
        await tools.close();
        await backend.close();
        await store.dispose();
      }
    });
  },
  ['redis', 'postgres'],
);
