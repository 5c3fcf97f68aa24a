import type { EffectJob } from '@aftermeet/queue';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { effectStates, type LedgerEntry } from '../engine/ledger/ledger.ts';
import { createMemoryTools, makeEntry, storeEffect, storeEvent } from '../testing/memory-tools.ts';
import { sampleEvent } from '../testing/sample-report.ts';
import { findEffect, isTriedBy, explainEffect, listEffects, attentionStates } from './effects.ts';
import type { PlanDelivery } from './operator-tools.ts';

function keep(entries: readonly Partial<LedgerEntry>[]) {
  const tools = createMemoryTools(0);
  for (const [index, changes] of entries.entries()) {
    const effectKey = changes.effectKey ?? `key-${String(index).padStart(8, '0')}`;
    tools.entries.set(effectKey, makeEntry({ ...changes, effectKey }));
  }
  return tools;
}

async function collect(entries: AsyncIterable<LedgerEntry>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { effectKey } of entries) keys.push(effectKey);
  return keys;
}

describe('listEffects', () => {
  it('lists what needs a person, newest change first, by recipe and meeting', async () => {
    const { ledger } = keep([
      { effectKey: 'failed', changedAtMs: 1 },
      { effectKey: 'parked', state: 'parked', changedAtMs: 3 },
      { effectKey: 'unknown', state: 'unknown', changedAtMs: 2, recipe: 'mail', meetingId: 'm_2' },
      { effectKey: 'sent', state: 'sent', changedAtMs: 4 },
    ]);
    const states = attentionStates;
    expect(await collect(listEffects({ states }, ledger))).toEqual(['parked', 'unknown', 'failed']);
    expect(await collect(listEffects({ states, recipe: 'mail' }, ledger))).toEqual(['unknown']);
    expect(await collect(listEffects({ states, meetingId: 'm_1' }, ledger))).toEqual(['parked', 'failed']);
    expect(await collect(listEffects({ states: ['sent'] }, ledger))).toEqual(['sent']);
  });

  it('lists each effect once, however many changed in one millisecond', async () => {
    const moments = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 400, maxLength: 2500 });
    await fc.assert(
      fc.asyncProperty(moments, async (changedAtMs) => {
        const { ledger } = keep(changedAtMs.map((moment) => ({ changedAtMs: moment })));
        const keys = await collect(listEffects({ states: effectStates }, ledger));
        expect(keys).toHaveLength(changedAtMs.length);
        expect(new Set(keys).size).toBe(changedAtMs.length);
      }),
      // Thousands of entries take too long to shrink.
      { numRuns: 10, endOnFailure: true },
    );
  });
});

describe('findEffect', () => {
  const tools = keep([
    { effectKey: 'aaaaaaaa1111' },
    { effectKey: 'aaaaaaaa2222' },
    { effectKey: 'bbbbbbbb3333' },
  ]);

  it.each([
    ['bbbbbbbb3333', { kind: 'found', value: { effectKey: 'bbbbbbbb3333' } }],
    ['bbbbbbbb', { kind: 'found', value: { effectKey: 'bbbbbbbb3333' } }],
    ['aaaaaaaa', { kind: 'several', ids: ['aaaaaaaa2222', 'aaaaaaaa1111'] }],
    ['bbbbbbb', { kind: 'none' }],
    ['cccccccc', { kind: 'none' }],
  ])('by %s finds %j', async (name, found) => {
    expect(await findEffect(name, tools)).toMatchObject(found);
  });
});

describe('findEffect, of an effect that the ledger does not know', () => {
  const receivedAt = '2026-11-26T05:59:00.000Z';
  const event = { ...sampleEvent, occurrence: '', receivedAt };
  const makeJob = (effectKey: string): EffectJob => {
    return { effectKey, destination: 'email', recipe: 'mail', target: 'ann@example.com', part: 0, event };
  };
  const tools = createMemoryTools(0);
  tools.effects.set('aaaaaaaa1111', storeEffect(makeJob('aaaaaaaa1111'), 'delayed'));
  tools.events.set('d1', storeEvent('d1', { endpoint: 'default', receivedAt, body: '{}' }, 3));
  const plan: PlanDelivery = () => {
    return {
      ok: true,
      event,
      effects: [makeJob('aaaaaaaa1111'), makeJob('bbbbbbbb2222')],
      isTooOld: false,
      isTest: false,
    };
  };

  it.each([
    ['aaaaaaaa1111', 'queue', 0],
    ['aaaaaaaa', 'queue', 0],
    ['bbbbbbbb', 'delivery', 3],
    ['bbbbbbbb2222', 'delivery', 3],
  ])('by %s finds it in the %s', async (name, knownFrom, changedAtMs) => {
    const found = await findEffect(name, { ...tools, plan });
    expect(found).toMatchObject({
      kind: 'found',
      value: { recipe: 'mail', meetingId: 'm_1', state: 'pending', knownFrom, changedAtMs },
    });
    expect(JSON.stringify(found)).not.toContain('ann@');
  });

  it('finds nothing that was never planned', async () => {
    expect(await findEffect('cccccccc', { ...tools, plan })).toEqual({ kind: 'none' });
    expect(await findEffect('bbbbbbbb', tools)).toEqual({ kind: 'none' });
  });
});

describe('explainEffect', () => {
  it.each([
    // What the ledger knows, what became of the job, and what follows.
    ['sent', 'failed', 'sent'],
    ['skipped', undefined, 'skipped'],
    ['parked', 'failed', 'parked'],
    ['sending', 'active', 'under_way'],
    ['sending', 'failed', 'stranded'],
    ['failed', 'failed', 'failed'],
    ['failed', undefined, 'failed'],
    ['failed', 'waiting', 'waiting'],
    ['pending', 'delayed', 'waiting'],
    ['pending', 'active', 'under_way'],
    ['pending', 'failed', 'stranded'],
    ['unknown', undefined, 'stranded'],
    ['unknown', 'delayed', 'waiting'],
    [undefined, 'waiting', 'waiting'],
    [undefined, 'active', 'under_way'],
    [undefined, 'failed', 'failed'],
    [undefined, 'completed', 'ended'],
    [undefined, undefined, 'new'],
  ] as const)('of %s, its job %s, says %s', (state, jobState, verdict) => {
    const entry = state === undefined ? undefined : { state };
    const job = jobState === undefined ? undefined : { state: jobState };
    expect(explainEffect(entry, job)).toBe(verdict);
  });
});

it('tells what has planned others from what had nothing to send', () => {
  const cause = '2 effects planned from the report';
  expect(explainEffect({ state: 'skipped', cause }, undefined)).toBe('expanded');
  const more = `${cause}; 1 address of the report cannot be mailed: Ann (too long)`;
  expect(explainEffect({ state: 'skipped', cause: more }, undefined)).toBe('expanded');
  expect(explainEffect({ state: 'skipped', cause: 'the report names no recipient' }, undefined)).toBe(
    'skipped',
  );
});

describe('isTriedBy', () => {
  it('is true only for effects without an active job and without a pending decision', () => {
    const verdicts = [
      'sent',
      'skipped',
      'expanded',
      'under_way',
      'waiting',
      'parked',
      'ended',
      'failed',
      'stranded',
      'new',
    ] as const;
    expect(verdicts.filter((verdict) => isTriedBy(verdict))).toEqual(['failed', 'stranded', 'new']);
  });
});
