import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { retryDelayMs } from './worker-loop.ts';

describe('the delay before the next try', () => {
  it('doubles up to fifteen minutes', () => {
    const longest = [1, 2, 3, 4, 10, 11, 20, 1000].map((made) => retryDelayMs(made, () => 1));
    expect(longest).toEqual([1000, 2000, 4000, 8000, 512_000, 900_000, 900_000, 900_000]);
  });

  it('lies somewhere in the upper half', () => {
    expect(retryDelayMs(3, () => 0)).toBe(2000);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (made, random) => {
          const delayMs = retryDelayMs(made, () => random);
          expect(delayMs).toBeGreaterThanOrEqual(500);
          expect(delayMs).toBeLessThanOrEqual(900_000);
        },
      ),
    );
  });
});
