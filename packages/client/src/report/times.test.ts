import { describe, expect, it } from 'vitest';

import { readDay, readInstant, readMoment, readPosition, readSeconds } from './times.ts';

describe('readSeconds', () => {
  it.each([
    [90, 90],
    ['90', 90],
    [' 90.5 ', 90.5],
    ['01:30', 90],
    ['1:02:03', 3723],
    ['125:00', 7500],
    ['00:00:01.250', 1.25],
    ['00:00:01,5', 1.5],
    ['PT1H2M3.5S', 3723.5],
    ['PT30M', 1800],
  ])('reads %j as %d seconds', (value, seconds) => {
    expect(readSeconds(value)).toBe(seconds);
  });

  it.each([
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1_783_425_600,
    '9'.repeat(400),
    'soon',
    '1:2:3:4',
    '-00:05',
    'PT',
    '',
    true,
    null,
    {},
  ])('leaves %j alone', (value) => {
    expect(readSeconds(value)).toBeUndefined();
  });
});

describe('readMoment', () => {
  it.each([
    ['2026-07-07T12:00:00Z', '2026-07-07T12:00:00.000Z'],
    ['2026-07-07T12:00:00.123456Z', '2026-07-07T12:00:00.123Z'],
    ['2026-07-07t12:00z', '2026-07-07T12:00:00.000Z'],
    ['2026-07-07T15:00:00+03:00', '2026-07-07T12:00:00.000Z'],
    ['2026-07-07 06:30:00 -0530', '2026-07-07T12:00:00.000Z'],
    ['2026-07-07T15:00+03', '2026-07-07T12:00:00.000Z'],
    // In no machine's own zone: the same text is the same moment everywhere.
    ['2026-07-07T12:00:00', '2026-07-07T12:00:00.000Z'],
    ['2026-07-07', '2026-07-07T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    [1_783_425_600, '2026-07-07T12:00:00.000Z'],
    [1_783_425_600.5, '2026-07-07T12:00:00.500Z'],
    [1_783_425_600_000, '2026-07-07T12:00:00.000Z'],
    ['1783425600', '2026-07-07T12:00:00.000Z'],
    ['1783425600000', '2026-07-07T12:00:00.000Z'],
  ])('reads %j', (value, moment) => {
    expect(readMoment(value)).toBe(moment);
  });

  it.each([
    'yesterday',
    'Room 5',
    '2026-02-31',
    '2026-13-01T00:00:00Z',
    '2026-07-07T24:30:00Z',
    '2026-07-07T12:00:00+25:00',
    '20260707120000',
    20_260_707_120_000,
    8_000_000_000,
    '9999-12-31T23:59:60Z',
    '9999-12-31T23:59:60',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    '07.07.2026',
    1800,
    9e18,
    Number.NaN,
    undefined,
    [],
  ])('leaves %j alone', (value) => {
    expect(readMoment(value)).toBeUndefined();
  });

  it('tells how sure a moment is', () => {
    expect(readInstant('2026-07-07T12:00:00+00:00')).toEqual({ ms: 1_783_425_600_000, precision: 'exact' });
    expect(readInstant('2026-07-07T12:00:00')).toMatchObject({ precision: 'local' });
    expect(readInstant('2026-07-07')).toMatchObject({ precision: 'day' });
  });
});

describe('readPosition', () => {
  it.each([
    ['00:05', 5],
    ['2026-07-07T12:00:05Z', 5],
    [1_783_425_605_250, 5.25],
    ['2026-07-07T11:59:59Z', undefined],
    ['2026-08-07T12:00:00Z', undefined],
    ['2026-07-07', undefined],
    // Of no known offset: it may be hours away.
    ['2026-07-07T12:00:05', undefined],
    // Milliseconds, to judge by its size.
    [1_800_000, undefined],
  ])('reads %j in a recording that started at noon', (value, seconds) => {
    expect(readPosition(value, { ms: 1_783_425_600_000, precision: 'exact' })).toBe(seconds);
  });
});

describe('readDay', () => {
  it.each([
    ['2026-07-10', '2026-07-10'],
    ['2026-07-10T23:30:00-05:00', '2026-07-10'],
    ['2026/7/10', '2026-07-10'],
    ['2026.07.10', '2026-07-10'],
    ['10 July 2026', '2026-07-10'],
    ['1st Sept. 2026', '2026-09-01'],
    ['July 10th, 2026', '2026-07-10'],
    ['MAY 3 2026', '2026-05-03'],
    ['2026-07-10T23:30:00', '2026-07-10'],
    ['2026-07-10T00:00:00.000Z', '2026-07-10'],
    ['2026-07-10T00:00:00+00:00', '2026-07-10'],
  ])('takes %j for a day', (value, day) => {
    expect(readDay(value)).toBe(day);
  });

  it.each([
    // Midnight in Berlin, in summer.
    [1_783_375_200, '+02:00', '2026-07-07'],
    ['1783375200000', '+02:00', '2026-07-07'],
    ['2026-07-06T22:00:00.000Z', '+02:00', '2026-07-07'],
    ['2026-07-07T04:00:00Z', '-04:00', '2026-07-07'],
    ['2026-07-07T21:59:59Z', '+02:00', '2026-07-07'],
    ['2026-07-07T00:00:00Z', '-05:00', '2026-07-07'],
    ['2026-07-07T23:30:00-05:00', '+02:00', '2026-07-07'],
    // With the offset of the other half of the year the day would be another one.
    ['2026-07-06T22:00:00Z', '+01:00', undefined],
    ['2026-12-07T22:59:59Z', '+02:00', undefined],
    ['9999-12-31T23:59:59Z', '+02:00', undefined],
    [1_783_375_200, undefined, undefined],
    ['2026-07-06T22:00:00.000Z', undefined, undefined],
    ['2026-07-06T22:00:00+00:00', undefined, undefined],
  ])('takes %j in a meeting at %s for %s', (value, offset, day) => {
    expect(readDay(value, offset)).toBe(day);
  });

  it.each([
    'Friday',
    'by 2026-07-10',
    '03/04/2026',
    '07.10.2026',
    '10 July',
    '31 June 2026',
    '10 Foo 2026',
    '2026/13/1',
    5,
    '',
    null,
  ])('does not take %j for one', (value) => {
    expect(readDay(value)).toBeUndefined();
  });
});
