import type { EffectJob } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { beforeEach, expect, it } from 'vitest';

import { isBuiltInMessage } from '../destinations/index.ts';
import { findPrebuiltRecipe } from '../prebuilt/list-prebuilt-recipes.ts';
import { buildDigest, type Digest } from '../report/digest.ts';
import { createTestTools } from '../testing/create-test-tools.ts';
import { startMs } from '../testing/effect-requests.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { takesAll } from '../testing/takes-all.ts';
import { useLedger } from '../testing/use-ledger.ts';
import { deliverEffect, type DeliveryTools } from './deliver.ts';
import { planRecipe } from './plan.ts';
import type { SendResult } from './prepared-send.ts';
import { type BoundRecipe, type PlannedEffect, expandTarget } from './recipe.ts';

const channel = 'C0123456789';

describeEachStore(
  'an effect with others that belong to it',
  (kind) => {
    const store = useLedger(() => openTestStore(kind));
    let nowMs: number;
    let meeting = 0;
    let queued: EffectJob[];
    let sent: string[];
    let answer: SendResult;
    let digest: Digest;
    let isReady: boolean;
    let planned: PlannedEffect;
    let expanded: readonly PlannedEffect[];
    let whyNoTarget: string | undefined;
    let refusal: string | undefined;

    beforeEach(() => {
      nowMs = startMs;
      meeting += 1;
      queued = [];
      sent = [];
      answer = { result: 'sent', reference: `${channel}/1` };
      digest = buildDigest(sampleReport);
      isReady = true;
      planned = { target: channel, part: 0 };
      whyNoTarget = undefined;
      refusal = undefined;
      expanded = [1, 2].map((part) => ({ target: channel, part }));
    });

    function openRecipe(): BoundRecipe {
      const prebuilt = findPrebuiltRecipe('slack-recap');
      if (prebuilt === undefined) throw new Error('there is no such recipe');
      return {
        ...takesAll,
        name: 'recap',
        prebuilt,
        when: {},
        plan: () => [planned],
        input: {
          from: 'report',
          expand: (_digest, { part }) => (part === 0 ? expanded : []),
          ...(whyNoTarget === undefined ? {} : { whyNoTarget }),
          refuseExpansion: () => refusal,
          render: ({ title }, { part, item = '' }) => ({
            destination: 'slack',
            message: { text: `${title} ${part}${item}`, blocks: [] },
          }),
        },
      };
    }

    function openTools(recipe: BoundRecipe): DeliveryTools {
      return createTestTools(
        {
          recipes: new Map([[recipe.name, recipe]]),
          connectors: {
            prepare: async (rendered, label) => ({
              result: 'ready',
              prepared: {
                timeoutMs: 1000,
                send: async () => {
                  const text =
                    isBuiltInMessage(rendered) && rendered.destination === 'slack'
                      ? rendered.message.text
                      : '';
                  sent.push(`${text} behind ${label.parent ?? 'nothing'}`);
                  return answer;
                },
                probe: async () => ({ result: 'absent' }),
              },
            }),
            close: async () => {},
          },
          ledger: store.ledger,
          clock: () => nowMs,
          digests: {
            read: async () => (isReady ? { ready: true, digest } : { ready: false, status: 'processing' }),
          },
        },
        queued,
      );
    }

    function plan(recipe: BoundRecipe): EffectJob {
      const event = {
        kind: 'meeting.completed',
        meetingId: `expanded-${kind}-${meeting}`,
        occurrence: new Date(nowMs).toISOString(),
        endpoint: 'default',
        receivedAt: new Date(nowMs).toISOString(),
      };
      const [job] = planRecipe(recipe, event, { workspace: 'active', traceId: 'a'.repeat(32) });
      if (job === undefined) throw new Error('nothing was planned');
      return job;
    }

    async function run(data: EffectJob, recipe: BoundRecipe, startedTimes = 1, ledger = store.ledger) {
      const taken = { id: data.effectKey, attempt: 1, maxAttempts: 12, dueAtMs: nowMs, startedTimes };
      return await deliverEffect({ ...taken, data }, { ...openTools(recipe), ledger });
    }

    function takeFollower(): EffectJob {
      return queued[0] ?? expect.fail('nothing was queued');
    }

    it('queues what follows a message before the message is sent, and each follower goes behind it', async () => {
      const recipe = openRecipe();
      const first = plan(recipe);
      expect(await run(first, recipe)).toEqual({ kind: 'done' });
      expect(queued.map(({ part, target }) => [part, target])).toEqual([
        [1, channel],
        [2, channel],
      ]);
      for (const job of queued) expect(await run(job, recipe)).toEqual({ kind: 'done' });
      expect(sent).toEqual([
        'Weekly sync 0 behind nothing',
        `Weekly sync 1 behind ${channel}/1`,
        `Weekly sync 2 behind ${channel}/1`,
      ]);
    });

    it('queues a follower that the report has got since, and none twice, when the message is tried again', async () => {
      const recipe = openRecipe();
      answer = { result: 'not_sent_retry', cause: 'Slack cannot be reached' };
      const first = plan(recipe);
      expect(await run(first, recipe)).toMatchObject({ kind: 'wait', data: { queuedFollowers: 2 } });
      nowMs += 60_000;
      expanded = [1, 2, 3].map((part) => ({ target: channel, part }));
      answer = { result: 'sent', reference: `${channel}/1` };
      expect(await run({ ...first, queuedFollowers: 2 }, recipe, 2)).toEqual({ kind: 'done' });
      expect(queued.map(({ part }) => part)).toEqual([1, 2, 3]);
    });

    it.each<[SendResult, object]>([
      [
        { result: 'not_sent_retry', cause: 'Slack cannot be reached' },
        { kind: 'wait', cause: 'the message that it belongs to is not sent yet' },
      ],
      [
        { result: 'permanent', cause: 'Slack answered channel_not_found' },
        { kind: 'failed', cause: 'the message that it belongs to was not sent' },
      ],
      // A person says that it was sent; nobody knows where it is.
      [{ result: 'unknown', cause: 'Slack did not answer in time' }, { kind: 'failed' }],
    ])('sends no follower after %j', async (result, ending) => {
      const recipe = openRecipe();
      answer = result;
      const first = plan(recipe);
      await run(first, recipe);
      if (result.result === 'unknown') await store.ledger.decide(first.effectKey, 'sent', nowMs);
      expect(await run(takeFollower(), recipe)).toMatchObject(ending);
      expect(sent).toHaveLength(1);
    });

    it('queues the followers again when somebody has a failed message tried again, also after a wait', async () => {
      const recipe = openRecipe();
      answer = { result: 'permanent', cause: 'Slack answered channel_not_found' };
      const first = plan(recipe);
      await run(first, recipe);
      nowMs += 60_000;
      await store.ledger.reopen(first.effectKey, nowMs);
      queued = [];
      isReady = false;
      expect(await run(first, recipe)).toMatchObject({ kind: 'wait' });
      isReady = true;
      answer = { result: 'sent', reference: `${channel}/1` };
      expect(await run(first, recipe, 2)).toEqual({ kind: 'done' });
      expect(queued.map(({ part }) => part)).toEqual([1, 2]);
    });

    it('changes the message when only what follows it has changed', async () => {
      const recipe = openRecipe();
      await run(plan(recipe), recipe);
      nowMs += 60_000;
      expanded = [{ target: channel, part: 1 }];
      digest = buildDigest(sampleReport);
      const again = plan(recipe);
      await run(again, recipe);
      // Nothing here can be changed, so it is told; a prepared with `update` would have been asked to.
      expect(await store.ledger.read(again.effectKey, nowMs)).toMatchObject({
        state: 'skipped',
        cause: 'already sent, and this destination cannot change it',
      });
    });

    it('plans from the report for whom it is, and sends nothing itself', async () => {
      planned = { target: expandTarget, part: 0 };
      expanded = ['ann', 'bob'].map((item) => ({ target: item, part: 0, item }));
      const recipe = openRecipe();
      const job = plan(recipe);
      expect(await run(job, recipe)).toEqual({ kind: 'done' });
      expect(sent).toEqual([]);
      expect(queued.map(({ item }) => item)).toEqual(['ann', 'bob']);
      expect(new Set([job, ...queued].map(({ effectKey }) => effectKey)).size).toBe(3);
      expect(await store.ledger.read(job.effectKey, nowMs)).toMatchObject({
        state: 'skipped',
        cause: '2 effects planned from the report',
      });
      await run(job, recipe, 2);
      expect(queued).toHaveLength(2);
      // One of them failed, its job is gone, and a person has the report read once more.
      await store.ledger.reopen(job.effectKey, nowMs);
      await run(job, recipe, 3);
      expect(queued.map(({ item }) => item)).toEqual(['ann', 'bob', 'ann', 'bob']);
    });

    it('plans nothing of what is refused as a whole, and all of it once it no longer is', async () => {
      planned = { target: expandTarget, part: 0 };
      refusal = 'too many';
      const recipe = openRecipe();
      const job = plan(recipe);
      expect(await run(job, recipe)).toEqual({ kind: 'failed', cause: 'too many' });
      expect(queued).toEqual([]);
      refusal = undefined;
      await store.ledger.reopen(job.effectKey, nowMs);
      expect(await run(job, recipe, 2)).toEqual({ kind: 'done' });
      expect(queued).toHaveLength(2);
    });

    it.each([
      [undefined, 'the report asks for nothing'],
      ['there is nothing to order', 'there is nothing to order'],
    ])('says why the report asks for nothing: %s', async (own, cause) => {
      planned = { target: expandTarget, part: 0 };
      expanded = [];
      whyNoTarget = own;
      const recipe = openRecipe();
      const job = plan(recipe);
      await run(job, recipe);
      expect(queued).toEqual([]);
      expect(await store.ledger.read(job.effectKey, nowMs)).toMatchObject({ state: 'skipped', cause });
    });
  },
  ['redis'],
);
