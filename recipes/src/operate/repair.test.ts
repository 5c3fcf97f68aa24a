import type { EffectJob } from '@aftermeet/queue';
import { beforeEach, describe, expect, it } from 'vitest';

import { hashTarget } from '../engine/effect-key.ts';
import type { EffectState, LedgerEntry } from '../engine/ledger/ledger.ts';
import { describeExpansion } from '../engine/outcome.ts';
import { identifyEffect } from '../engine/plan.ts';
import { type PlannedEffect, expandTarget } from '../engine/recipe.ts';
import { slackRecap } from '../prebuilt/slack-recap.ts';
import {
  createMemoryTools,
  makeEntry,
  type MemoryTools,
  storeEffect,
  storeEvent,
} from '../testing/memory-tools.ts';
import { sampleEvent } from '../testing/sample-report.ts';
import { resendEffect, retryEffect, settleEffect, traceEffect } from './repair.ts';

const receivedAtMs = Date.parse('2026-07-07T12:00:05Z');

const nowMs = receivedAtMs + 60 * 60 * 1000;

const job: EffectJob = {
  effectKey: 'k1',
  destination: 'slack',
  recipe: 'recap',
  target: 'C1',
  part: 0,
  event: { ...sampleEvent, receivedAt: '2026-07-07T12:00:05Z' },
};

const entry = makeEntry({ receivedAtMs, attempts: 3 });

let tools: MemoryTools;

beforeEach(async () => {
  tools = createMemoryTools(nowMs);
});

function arrange(state: EffectState, jobState?: Parameters<typeof storeEffect>[1]): LedgerEntry {
  const arranged = { ...entry, state };
  tools.entries.set('k1', arranged);
  if (jobState !== undefined) tools.effects.set('k1', storeEffect(job, jobState));
  return arranged;
}

describe('retryEffect', () => {
  it.each([
    ['failed', 'failed', 'again', 'pending', ['repeat k1']],
    ['skipped', 'completed', 'again', 'pending', ['repeat k1']],
    // The destination is asked first.
    ['parked', 'failed', 'again', 'unknown', ['repeat k1']],
    ['unknown', 'failed', 'again', 'unknown', ['repeat k1']],
    ['unknown', 'delayed', 'again', 'unknown', ['repeat k1']],
    ['pending', 'waiting', 'waiting', 'pending', []],
    ['sending', 'active', 'under_way', 'sending', []],
    ['sent', 'completed', 'sent', 'sent', []],
  ] as const)(
    'of %s, its job %s, ends %s with the state %s',
    async (state, jobState, outcome, after, changes) => {
      expect(await retryEffect(arrange(state, jobState), tools)).toBe(outcome);
      expect(tools.entries.get('k1')?.state).toBe(after);
      expect(tools.changes).toEqual(changes);
    },
  );

  it('does no more when it is asked twice', async () => {
    const failed = arrange('failed', 'failed');
    await retryEffect(failed, tools);
    const again = tools.entries.get('k1');
    expect(again && (await retryEffect(again, tools))).toBe('waiting');
    expect(tools.changes).toEqual(['repeat k1']);
  });

  it('makes a job that is gone anew from the delivery that caused it', async () => {
    const failed = arrange('failed');
    const event = { endpoint: 'default', receivedAt: job.event.receivedAt, body: '{}' };
    tools.events.set('far', storeEvent('far', event, receivedAtMs + 120_000));
    tools.events.set('d1', storeEvent('d1', event, receivedAtMs + 3));
    const asked: string[] = [];
    const plan = (_job: unknown, id: string) => {
      asked.push(id);
      return { ok: true as const, event: job.event, effects: [job], isTooOld: false, isTest: false };
    };
    expect(await retryEffect(failed, { ...tools, plan })).toBe('again');
    expect(asked).toEqual(['d1']);
    expect(tools.changes).toEqual(['add k1']);
  });

  describe('of what a report has planned, its job gone,', () => {
    const key = (effect: PlannedEffect) => identifyEffect(prebuilt, job.event, effect, planning).effectKey;
    const planning = { workspace: 'active', traceId: undefined };
    const prebuilt = { name: 'recap', prebuilt: slackRecap };
    const plan = (planned: PlannedEffect) => () => ({
      ok: true as const,
      event: job.event,
      effects: [identifyEffect(prebuilt, job.event, planned, planning)],
      isTooOld: false,
      isTest: false,
    });

    function arrangeChild({ target, part }: PlannedEffect): LedgerEntry {
      const event = { endpoint: 'default', receivedAt: job.event.receivedAt, body: '{}' };
      tools.events.set('d1', storeEvent('d1', event, receivedAtMs));
      const child = {
        ...entry,
        effectKey: key({ target, part }),
        targetHash: hashTarget(target),
        part,
      };
      tools.entries.set(child.effectKey, child);
      return child;
    }

    it('makes a follower anew from the message that it belongs to', async () => {
      const first = { target: 'C1', part: 0 };
      const follower = { target: 'C1', part: 2 };
      const child = arrangeChild(follower);
      expect(await retryEffect(child, { ...tools, plan: plan(first) })).toBe('again');
      expect(tools.effects.get(child.effectKey)?.data).toEqual(
        identifyEffect(prebuilt, job.event, follower, planning),
      );
      expect(tools.entries.get(child.effectKey)?.state).toBe('pending');
    });

    it('has the report read once more, also by an effect that has planned already', async () => {
      const spread = { target: expandTarget, part: 0 };
      const child = arrangeChild({ target: 'ann@example.com', part: 0 });
      const planner = key(spread);
      const cause = describeExpansion(2);
      tools.entries.set(planner, { ...entry, effectKey: planner, state: 'skipped', cause });
      expect(await retryEffect(child, { ...tools, plan: plan(spread) })).toBe('planned_again');
      expect(tools.entries.get(child.effectKey)?.state).toBe('pending');
      expect(tools.entries.get(planner)?.state).toBe('pending');
      expect(tools.changes).toEqual([`add ${planner}`]);
    });

    it('leaves it where the delivery is that of another event', async () => {
      const child = { ...arrangeChild({ target: 'C1', part: 2 }), occurrence: '2026-07-08T12:00:00Z' };
      expect(await retryEffect(child, { ...tools, plan: plan({ target: 'C1', part: 0 }) })).toBe('job_gone');
      expect(await retryEffect(child, { ...tools, plan: plan({ target: expandTarget, part: 0 }) })).toBe(
        'job_gone',
      );
      expect(tools.changes).toEqual([]);
    });
  });

  describe('where its recipe sends to another target now,', () => {
    const moved = { ...job, effectKey: 'k2', target: 'C2' };
    const event = { endpoint: 'default', receivedAt: job.event.receivedAt, body: '{}' };
    const withPlan = (effects: readonly EffectJob[]) => {
      tools.events.set('d1', storeEvent('d1', event, receivedAtMs));
      const plan = () => ({ ok: true as const, event: job.event, effects, isTooOld: false, isTest: false });
      return { ...tools, plan: Object.assign(plan, { ofEvent: () => effects }) };
    };

    it.each(['failed', 'parked'] as const)('sends what is %s there, and dismisses it', async (state) => {
      expect(await retryEffect(arrange(state, 'failed'), withPlan([moved]))).toBe('moved');
      expect(tools.changes).toEqual(['add k2']);
    });

    it('sends what was sent there when it is asked to send it again', async () => {
      expect(await resendEffect(arrange('sent', 'completed'), withPlan([moved]))).toBe('moved');
      expect(tools.entries.get('k1')?.state).toBe('sent');
      expect(tools.changes).toEqual(['add k2']);
    });

    it('keeps to its target where that is one of several', async () => {
      const failed = { ...arrange('failed', 'failed'), targetHash: hashTarget('C1') };
      expect(await retryEffect(failed, withPlan([moved, job]))).toBe('again');
      expect(tools.changes).toEqual(['repeat k1']);
    });
  });

  it('changes nothing where neither job nor delivery is kept', async () => {
    const failed = arrange('failed');
    expect(await retryEffect(failed, tools)).toBe('job_gone');
    const plan = () => ({ ok: false as const, cause: 'no event' });
    tools.events.set('d1', storeEvent('d1', undefined, receivedAtMs));
    expect(await retryEffect(failed, { ...tools, plan })).toBe('job_gone');
    expect(tools.entries.get('k1')?.state).toBe('failed');
    expect(tools.changes).toEqual([]);
  });
});

describe('settleEffect', () => {
  it('of what was sent only says so', async () => {
    expect(await settleEffect(arrange('parked', 'failed'), 'sent', tools)).toEqual({ kind: 'settled' });
    expect(tools.entries.get('k1')?.state).toBe('sent');
    expect(tools.changes).toEqual([]);
  });

  it('of what was not sent tries it again', async () => {
    const outcome = await settleEffect(arrange('unknown', 'delayed'), 'not_sent', tools);
    expect(outcome).toEqual({ kind: 'settled', retried: 'again' });
    expect(tools.entries.get('k1')?.state).toBe('pending');
    expect(tools.changes).toEqual(['repeat k1']);
  });

  it.each(['sent', 'skipped', 'pending', 'sending'] as const)('leaves what is %s', async (state) => {
    expect(await settleEffect(arrange(state, 'active'), 'sent', tools)).toEqual({ kind: 'not_open', state });
    expect(tools.entries.get('k1')?.state).toBe(state);
  });
});

describe('traceEffect', () => {
  it('reads the job, where it is kept', async () => {
    expect(await traceEffect(arrange('failed', 'failed'), tools)).toMatchObject({ job: { state: 'failed' } });
    expect(await traceEffect({ ...entry, destination: 'fax' }, tools)).toEqual({
      entry: { ...entry, destination: 'fax' },
    });
  });
});
