import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';

import { parseDuration, parseMoment } from './options.ts';

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

describe('parseMoment', () => {
  it.each([
    ['2d', '2026-07-05T12:00:00.000Z'],
    ['90m', '2026-07-07T10:30:00.000Z'],
    ['0', '2026-07-07T12:00:00.000Z'],
    ['2026-07-01', '2026-07-01T00:00:00.000Z'],
    ['2026-07-01 09:30', '2026-07-01T09:30:00.000Z'],
    ['2026-07-01T09:30:05', '2026-07-01T09:30:05.000Z'],
    ['2026-07-01T09:30:05.25Z', '2026-07-01T09:30:05.250Z'],
    ['2026-07-01T09:30+03:00', '2026-07-01T06:30:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(new Date(parseMoment(text)(Date.parse('2026-07-07T12:00:00Z'))).toISOString()).toBe(iso);
  });

  it.each([
    '',
    'yesterday',
    '2026-13-01',
    '2026-02-31',
    '2026-06-31T09:30+03:00',
    '7 July',
    '-2d',
    '2026-07-01T9:30',
  ])('refuses %j', (text) => {
    expect(() => parseMoment(text)).toThrow(InvalidArgumentError);
  });
});
