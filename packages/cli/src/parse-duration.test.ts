import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';

import { parseDuration } from './parse-duration.ts';

describe('parseDuration', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['1h30m', 5400],
    ['0.5h', 1800],
    ['2d', 172_800],
    ['1w1d', 691_200],
    ['0', 0],
    ['400ms', 0.4],
    ['1s500ms', 1.5],
    ['1m5ms', 60.005],
  ])('%s is %s seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', '-1', '1h30', 'h', '1 h', '1y', '5msm', '١m', `${'9'.repeat(400)}d`, `${'9'.repeat(400)}!`])(
    'refuses %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(InvalidArgumentError);
    },
  );
});
