import fc from 'fast-check';
import { expect, it } from 'vitest';

import { growWait } from './grow-wait.ts';

const growth = { firstWaitMs: 5000, longestWaitMs: 900_000 };

it.each([
  [0, 5000],
  [1, 5000],
  [2, 10_000],
  [8, 640_000],
  [9, 900_000],
  [1_000_000, 900_000],
])('after try %d the wait is at most %d ms, and at least half of it', (tries, fullMs) => {
  expect(growWait(tries, growth, () => 1)).toBe(fullMs);
  expect(growWait(tries, growth, () => 0)).toBe(fullMs / 2);
});

it('stays between half of the first wait and the longest', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.nat(), chance, (tries, random) => {
      const waitMs = growWait(tries, growth, () => random);
      expect(waitMs).toBeGreaterThanOrEqual(2500);
      expect(waitMs).toBeLessThanOrEqual(900_000);
    }),
  );
});
