import { expect, it } from 'vitest';

import { clampWait } from './clamp-wait.ts';

it.each([
  [0, 1000],
  [-5, 1000],
  [30_000, 30_000],
  [99_999_999_999_000, 3_600_000],
  [Number.POSITIVE_INFINITY, 3_600_000],
])('a wait of %d ms becomes %d ms', (askedMs, waitMs) => {
  expect(clampWait(askedMs)).toBe(waitMs);
});
