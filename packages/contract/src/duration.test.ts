import { expect, it } from 'vitest';

import { parseDuration } from './duration.ts';

it.each([
  ['90', 90_000],
  ['90s', 90_000],
  ['0', 0],
  ['400ms', 400],
  ['15m', 900_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  ['1.5h', 5_400_000],
])('reads %s', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each(['', 'm', '1x', '-1s', '1h 30m', '1e3', '1h30', `${'9'.repeat(400)}h`])('refuses %j', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
