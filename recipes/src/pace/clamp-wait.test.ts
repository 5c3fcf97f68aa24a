import { expect, it } from 'vitest';

import { clampWait } from './clamp-wait.ts';

it.each([
  [0, 0],
  [-5, 0],
  [30_000, 30_000],
  [99_999_999_999_000, 3_600_000],
  [Number.POSITIVE_INFINITY, 3_600_000],
  [Number.NaN, 0],
])('a wait of %d ms becomes %d ms', (askedMs, waitMs) => {
  expect(clampWait(askedMs)).toBe(waitMs);
});
