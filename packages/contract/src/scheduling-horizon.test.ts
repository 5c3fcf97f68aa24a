import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkStart } from './check-start.ts';
import { latestStartMs } from './scheduling-horizon.ts';

describe('latestStartMs', () => {
  it.each([
    ['2026-07-07T12:00:00.000Z', '2026-10-07T12:00:00.000Z'],
    ['2026-11-30T08:15:30.250Z', '2027-02-28T08:15:30.250Z'],
    ['2027-11-30T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
    ['2026-11-28T00:00:00.000Z', '2027-02-28T00:00:00.000Z'],
    ['2026-12-31T00:00:00.000Z', '2027-03-31T00:00:00.000Z'],
    ['2026-01-31T00:00:00.000Z', '2026-04-30T00:00:00.000Z'],
    ['2026-03-31T00:00:00.000Z', '2026-06-30T00:00:00.000Z'],
    ['2026-08-31T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['2026-10-31T00:00:00.000Z', '2027-01-31T00:00:00.000Z'],
  ])('is three calendar months after %s: %s', (now, latest) => {
    expect(new Date(latestStartMs(Date.parse(now))).toISOString()).toBe(latest);
  });

  it('is three months later in the calendar, on the same day or on the last one', () => {
    const moments = fc.date({
      min: new Date('2000-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (now) => {
        const latest = new Date(latestStartMs(now.getTime()));
        const months = (day: Date): number => day.getUTCFullYear() * 12 + day.getUTCMonth();
        expect(months(latest) - months(now)).toBe(3);
        expect(latest.getTime() % 86_400_000).toBe(now.getTime() % 86_400_000);
        const nextDay = new Date(latest.getTime() + 86_400_000);
        const isSameDay = latest.getUTCDate() === now.getUTCDate();
        expect(isSameDay || (latest.getUTCDate() < now.getUTCDate() && nextDay.getUTCDate() === 1)).toBe(
          true,
        );
      }),
    );
  });
});

describe('checkStart', () => {
  const nowMs = Date.parse('2026-07-07T12:00:00Z');

  it.each([
    undefined,
    '2026-07-07T12:00:00Z',
    '2026-07-07T11:55:00Z',
    '2026-10-07T12:00:00Z',
    '2026-10-07T15:00:00+03:00',
    '2026-10-07T00:30:00.000-11:30',
    '2026-10-08T00:00:00+14:00',
    '2026-10-07T15:00+03:00',
    '2026-10-07T12:00Z',
  ])('lets %j pass', (start) => {
    expect(checkStart(start, nowMs)).toBeUndefined();
  });

  it.each([
    '2026-10-07T12:00:00.001Z',
    '2026-10-07T15:00:01+03:00',
    '2026-10-07T00:00:01-12:00',
    '9999-12-31T23:59:59Z',
    '2026-10-07T12:01Z',
    '2026-10-07T15:01+03:00',
  ])('refuses %j and says until when', (start) => {
    expect(checkStart(start, nowMs)).toStrictEqual({
      path: ['localDateTime'],
      code: 'invalid',
      expected: 'at most 3 months ahead: 2026-10-07T12:00:00.000Z at the latest',
      received: `"${start}"`,
    });
  });

  it.each(['2020-01-01T00:00:00Z', '2026-07-07T11:54:59.999Z', '2026-07-07T12:00+03:00'])(
    'refuses %j, which is over, unless the past is allowed',
    (start) => {
      expect(checkStart(start, nowMs)).toStrictEqual({
        path: ['localDateTime'],
        code: 'invalid',
        expected: 'a time to come: it is 2026-07-07T12:00:00.000Z now',
        received: `"${start}"`,
        override: 'allowPast',
      });
      expect(checkStart(start, nowMs, { allowPast: true })).toBeUndefined();
    },
  );

  it.each(['', 'in a year', '2099-01-01', '2099-01-01T00:00:00', '2099-02-30T00:00:00Z'])(
    'leaves %j to the rule of the field, because it is no date and time with an offset',
    (start) => {
      expect(checkStart(start, nowMs)).toBeUndefined();
    },
  );
});
