import { expect, it } from 'vitest';

import { createPlanList } from './plan-list.ts';

const run = (): void => {};

it('gives the soonest first, and of one time the first that came', () => {
  const plans = createPlanList();
  const [late, soon, soonToo] = [5, 1, 1].map((atMs) => ({ atMs, run }));
  for (const plan of [late, soon, soonToo]) if (plan) plans.add(plan);
  const order = [soon, soonToo, late, undefined].map((plan) => {
    const isFirst = plans.first() === plan;
    plans.takeFirst();
    return isFirst;
  });
  expect(order).toEqual([true, true, true, true]);
});

it('lets go of a plan that is taken back behind others', () => {
  const plans = createPlanList();
  const first = { atMs: 1, run };
  plans.add(first);
  for (let atMs = 2; atMs < 100; atMs += 1) {
    const plan = { atMs, run };
    plans.add(plan);
    plans.remove(plan);
    plans.remove(plan);
  }
  expect(plans.first()).toBe(first);
  plans.takeFirst();
  expect(plans.first()).toBeUndefined();
});
