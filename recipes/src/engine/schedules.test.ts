import type { NewEffect } from '@aftermeet/queue';
import { describe, expect, it } from 'vitest';

import { settlePolicies } from '../destinations/index.ts';
import { takesAll } from '../testing/takes-all.ts';
import type { BoundRecipe, RecipeSchedule } from './recipe.ts';
import { runSchedule, type ScheduleTools } from './schedules.ts';

function open(schedule?: RecipeSchedule) {
  const added: NewEffect[] = [];
  const reconciled: string[] = [];
  const recipe: BoundRecipe = {
    ...takesAll,
    name: 'morning',
    when: {},
    plan: () => [{ target: 'ann@example.com', part: 0 }],
    input: {
      from: 'period',
      render: () => {
        throw new Error('nothing is rendered here');
      },
    },
    ...(schedule === undefined ? {} : { schedule }),
    // Of the prebuilt recipe only this is read when effects are planned.
    prebuilt: { destination: 'email' } as unknown as BoundRecipe['prebuilt'],
  };
  const tools: ScheduleTools = {
    workspace: 'active',
    recipes: new Map([['morning', recipe]]),
    queue: {
      findQueued: async () => new Set<string>(),
      addEffects: async (effects) => void added.push(...effects),
    },
    rateLimits: { reserve: async () => [] },
    policies: settlePolicies(),
    clock: () => Date.parse('2026-03-29T07:00:02Z'),
    reconcile: async () => void reconciled.push('once'),
  };
  const run = (due: string, task: 'recipe' | 'reconcile' = 'recipe') =>
    runSchedule(
      { data: task === 'recipe' ? { task, recipe: 'morning' } : { task }, dueAtMs: Date.parse(due) },
      tools,
    );
  return { added, reconciled, run };
}

describe('runSchedule', () => {
  it('plans one effect for each target, for the time since it was due before', async () => {
    const { added, run } = open({ cron: '0 9 * * *', timeZone: 'Europe/Berlin' });
    // The clocks went forward in the night: this day has 23 hours.
    expect(await run('2026-03-29T07:00:00Z')).toEqual({ kind: 'done' });
    expect(added[0]?.job).toMatchObject({
      recipe: 'morning',
      target: 'ann@example.com',
      event: {
        kind: 'schedule.due',
        occurrence: '2026-03-29T07:00:00.000Z',
        since: '2026-03-28T08:00:00.000Z',
      },
    });
  });

  it('plans the same effect however often the same moment is due', async () => {
    const { added, run } = open({ cron: '0 9 * * 1' });
    await run('2026-03-23T09:00:00Z');
    await run('2026-03-23T09:00:00Z');
    await run('2026-03-30T09:00:00Z');
    const [first, second, third] = added.map(({ job }) => job.effectKey);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(added[0]?.job.event.since).toBe('2026-03-16T09:00:00.000Z');
  });

  it('fails visibly for a recipe that has no schedule any more', async () => {
    expect(await open().run('2026-03-23T09:00:00Z')).toEqual({
      kind: 'failed',
      cause: 'the recipe "morning" has no schedule any more',
    });
  });

  it('searches for deliveries that never came', async () => {
    const { reconciled, run } = open();
    expect(await run('2026-03-23T09:00:00Z', 'reconcile')).toEqual({ kind: 'done' });
    expect(reconciled).toEqual(['once']);
  });
});
