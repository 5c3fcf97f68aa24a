import { describe, expect, it } from 'vitest';

import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import { planRun } from './run-recipe.ts';

const email = { smtpUrl: 'smtp://127.0.0.1', from: 'notes@example.com', to: ['all@example.com'] };

function plan(now: string, values: Readonly<Record<string, unknown>>, use = 'email-digest') {
  const [recipe] = bindRecipes([{ name: 'digest', use, when: {}, with: values }], { email });
  return recipe && planRun(recipe, { workspace: 'active', clock: () => Date.parse(now) });
}

describe('planRun', () => {
  it.each([
    ['day', 'UTC', '2026-07-08T15:20:00.000Z', '2026-07-07T15:20:00.000Z'],
    ['week', 'UTC', '2026-07-08T15:20:00.000Z', '2026-07-01T15:20:00.000Z'],
    // The clocks went forward in the last night: its schedule has 23 hours.
    ['day', 'Europe/Berlin', '2026-03-29T15:20:00.000Z', '2026-03-28T16:20:00.000Z'],
  ])('covers the last %s in %s until now', (every, timezone, now, since) => {
    const run = plan(now, { every, timezone });
    expect(run?.period).toEqual({ fromMs: Date.parse(since), toMs: Date.parse(now) });
    expect(run?.effects).toMatchObject([
      {
        recipe: 'digest',
        target: 'all@example.com',
        event: { kind: 'schedule.due', occurrence: now, since },
      },
    ]);
  });

  it('has no plan for a recipe that runs when a meeting ends', () => {
    expect(plan('2026-07-08T15:20:00Z', {}, 'email-follow-up')).toBeUndefined();
  });
});
