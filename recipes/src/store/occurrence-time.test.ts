import { expect, it } from 'vitest';

import { readOccurrenceMs } from './occurrence-time.ts';

it.each([
  ['2026-07-07T12:00:00Z', 1_783_425_600_000],
  ['2026-07-07T14:00:00.250+02:00', 1_783_425_600_250],
  ['', 0],
  ['soon', 0],
  ['1969-12-31T23:59:59Z', 0],
])('reads the occurrence %j', (occurrence, atMs) => {
  expect(readOccurrenceMs(occurrence)).toBe(atMs);
});
