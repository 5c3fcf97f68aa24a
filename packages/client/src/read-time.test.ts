import { describe, expect, it } from 'vitest';

import { readMoment, readSeconds } from './read-time.ts';

describe('readSeconds', () => {
  it.each([
    [90, 90],
    ['90', 90],
    ['90.5', 90.5],
    ['01:30', 90],
    ['1:02:03', 3723],
    ['00:00:01.250', 1.25],
    ['00:00:01,5', 1.5],
  ])('reads %j as %d seconds', (value, seconds) => {
    expect(readSeconds(value)).toBe(seconds);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 'soon', '1:2:3:4', '', null, {}])(
    'leaves %j alone',
    (value) => {
      expect(readSeconds(value)).toBeUndefined();
    },
  );
});

describe('readMoment', () => {
  it.each([
    ['2026-07-07T12:00:00Z', '2026-07-07T12:00:00.000Z'],
    ['2026-07-07T15:00:00+03:00', '2026-07-07T12:00:00.000Z'],
    [1_783_425_600, '2026-07-07T12:00:00.000Z'],
    [1_783_425_600_000, '2026-07-07T12:00:00.000Z'],
    ['1783425600', '2026-07-07T12:00:00.000Z'],
  ])('reads %j', (value, moment) => {
    expect(readMoment(value)).toBe(moment);
  });

  it.each(['yesterday', 9e18, Number.NaN, undefined, []])('leaves %j alone', (value) => {
    expect(readMoment(value)).toBeUndefined();
  });
});
