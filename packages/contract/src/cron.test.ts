import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canCronFire, countCronRuns, isCronExpression, nextCronRun, previousCronRun } from './cron.ts';
import { cronExpression } from './rules.ts';

describe('canCronFire', () => {
  it.each([
    ['every minute', '* * * * *'],
    ['a leap day', '0 0 29 2 *'],
    ['a leap day by name', '0 0 29 FEB *'],
    ['the 31st in a month of 31 days', '0 9 31 1 *'],
    ['the 31st in one of two months', '0 0 31 2,3 *'],
    ['the 31st in a range of months with a long one', '0 0 31 4-6 *'],
    ['the 30th or the 28th in February', '0 0 30,28 2 *'],
    ['a range of days that begins in February', '0 0 28-31 2 *'],
    ['every second day', '0 0 */2 2 *'],
    ['every thirty-first day, which is the first', '0 0 */31 2 *'],
    ['steps from the 29th', '0 0 29/2 2 *'],
    ['no such day, but on Mondays', '0 9 31 2 1'],
    ['no such day, but on Mondays by name', '0 9 31 2 mon'],
    ['no such day, but on all weekdays one by one', '0 9 31 2 0-6'],
    ['no such day, but a list that begins with a weekday', '0 9 31 2 1,*'],
    // Readings differ: for some cron a step restricts, for others a star in front never does.
    ['no such day, but a step in the day of the week', '0 9 31 2 */2'],
    ['no such day, but a list that begins with a star', '0 9 31 2 *,1'],
    ['a month with a step whose end is open', '0 0 31 2/6 *'],
    ['no such day, but on all weekdays in a range', '0 9 31 2 0-7'],
    ['two blanks before a weekday', '0  9 31 2 1'],
    ['a tab before a weekday', '0 9 31 2\t1'],
  ])('lets %s pass: %j', (_what, expression) => {
    expect(isCronExpression(expression)).toBe(true);
    expect(canCronFire(expression)).toBe(true);
  });

  it.each([
    ['31 February', '0 9 31 2 *'],
    ['30 February', '0 0 30 2 *'],
    ['30 and 31 February', '*/5 * 30,31 2 *'],
    ['30 to 31 February', '* * 30-31 FEB *'],
    ['the 31st of short months', '0 0 31 4,6 *'],
    ['the 31st of all short months', '0 0 31 2,4,6,9,11 *'],
    ['the 31st of short months by name', '0 0 31 apr,JUN,Sep,nov *'],
    ['the 31st of a range of one month', '0 0 31 4-4 *'],
    ['the 31st of April and September', '0 0 31 4-9/5 *'],
    ['the 31st of April and November', '0 0 31 4/7 *'],
    ['30 February with a step', '0 0 30/1 2 *'],
    ['30 February and a step that leaves the month', '0 0 30-31/5 2-2 *'],
    ['31 February on any weekday, said as a step of one', '0 9 31 2 */1'],
    ['31 February after two blanks', '0  9 31 2 *'],
    ['31 February after a tab in front', '\t0 9 31 2 *'],
    ['31 February on any weekday, said as a step of 01', '0 9 31 2 */01'],
  ])('refuses %s: %j', (_what, expression) => {
    expect(isCronExpression(expression)).toBe(true);
    expect(canCronFire(expression)).toBe(false);
  });

  it('agrees with a calendar that is looked through day by day', () => {
    // Lists, ranges with steps and stars whose meaning every cron shares.
    const field = (min: number, max: number): fc.Arbitrary<string> => {
      const value = fc.integer({ min, max });
      const range = fc
        .tuple(value, value, fc.integer({ min: 1, max: 9 }))
        .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}/${step}`);
      const item = fc.oneof({ weight: 4, arbitrary: value.map(String) }, range);
      return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
    };
    const star = fc.constantFrom('*', '*/1');
    const expressions = fc
      .tuple(
        fc.oneof({ weight: 3, arbitrary: field(27, 31) }, field(1, 31), star),
        fc.oneof({ weight: 3, arbitrary: field(1, 12) }, star),
        fc.oneof({ weight: 3, arbitrary: star }, field(0, 7)),
      )
      .map((days) => `0 9 ${days.join(' ')}`);
    fc.assert(
      fc.property(expressions, (expression) => {
        expect(canCronFire(expression)).toBe(firesOnSomeDay(expression));
      }),
      { numRuns: 200, examples: [['0 9 31 2 *'], ['0 9 31 4,6,9-11/2 */1'], ['0 9 29 2 *']] },
    );
  });
});

/** Every kind of day in 28 years, in which each date falls on each weekday. */
const calendar = [
  ...new Set(
    Array.from({ length: 28 * 366 }, (_unused, index) => {
      const day = new Date(Date.UTC(2000, 0, 1 + index));
      return `${day.getUTCDate()} ${day.getUTCMonth() + 1} ${day.getUTCDay()}`;
    }),
  ),
].map((day) => day.split(' ').map(Number));

/** crontab(5): where both the day of the month and that of the week are restricted, either is enough. */
function firesOnSomeDay(expression: string): boolean {
  const [, , dates = '', months = '', weekdays = ''] = expression.split(' ');
  return calendar.some(([date = 0, month = 0, weekday = 0]) => {
    const isDate = matches(dates, date, 1);
    const isWeekday = matches(weekdays, weekday, 0) || (weekday === 0 && matches(weekdays, 7, 0));
    const isEither = !dates.startsWith('*') && !weekdays.startsWith('*');
    return matches(months, month, 1) && (isEither ? isDate || isWeekday : isDate && isWeekday);
  });
}

function matches(field: string, value: number, min: number): boolean {
  return field.split(',').some((item) => {
    const [range = '', step = '1'] = item.split('/');
    const [from = 0, to = from] = range === '*' ? [min, 99] : range.split('-').map(Number);
    return value >= from && value <= to && (value - from) % Number(step) === 0;
  });
}

describe('isCronExpression', () => {
  it.each([
    '* * * * *',
    '0 9 * * 1',
    '*/15 8-18 * * 1-5',
    '0,30 9 1,15 * *',
    '59 23 31 12 7',
    '0 0 1 JAN mon',
    '0 9 * jan-mar Mon-Fri',
    '5/10 0 * * 0',
    '0-59/5 * * * *',
    '0  9 * * 1',
    ' 0 9 * * 1',
    '0\t9 \t * * 1 ',
  ])('takes %j', (text) => {
    expect(isCronExpression(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['four fields', '0 9 * *'],
    ['six fields', '0 0 9 * * 1'],
    ['blanks only', ' \t '],
    ['a line feed behind', '0 9 * * 1\n'],
    ['a line feed between', '0\n9 * * 1'],
    ['a blank of another kind', '0 9 * *\u00A01'],
    ['a blank within a list', '0, 30 * * *'],
    ['a nickname', '@daily'],
    ['minute 60', '60 9 * * 1'],
    ['hour 24', '0 24 * * 1'],
    ['day 0', '0 9 0 * 1'],
    ['day 32', '0 9 32 * 1'],
    ['month 0', '0 9 * 0 1'],
    ['month 13', '0 9 * 13 1'],
    ['weekday 8', '0 9 * * 8'],
    ['a range backwards', '0 18-9 * * *'],
    ['a range out of bounds', '0 9-24 * * *'],
    ['a step of zero', '*/0 * * * *'],
    ['an empty step', '*/ * * * *'],
    ['an empty list item', '0,,30 * * * *'],
    ['a list that ends in a comma', '0, * * * *'],
    ['a negative number', '-1 * * * *'],
    ['a month where a weekday stands', '0 9 * * jan'],
    ['a name that is none', '0 9 * foo 1'],
    ['a question mark', '0 9 ? * 1'],
    ['a last-day mark', '0 9 L * *'],
    ['an nth weekday', '0 9 * * 1#2'],
    ['a three-digit number', '000 9 * * 1'],
  ])('refuses %s', (_what, text) => {
    expect(isCronExpression(text)).toBe(false);
  });
});

const tuesdayNoon = Date.parse('2026-07-07T12:00:00Z');

const next = (cron: string, after: string | number = tuesdayNoon): string | undefined => {
  const runMs = nextCronRun(cron, typeof after === 'string' ? Date.parse(after) : after);
  return runMs === undefined ? undefined : new Date(runMs).toISOString();
};

describe('the next run of a cron expression', () => {
  it.each([
    ['a weekday', '0 9 * * 1', '2026-07-13T09:00:00.000Z'],
    ['a weekday by name', '0 9 * * MON', '2026-07-13T09:00:00.000Z'],
    ['Sunday as 7', '0 9 * * 7', '2026-07-12T09:00:00.000Z'],
    ['Sunday to Sunday', '0 9 * * sun-sun', '2026-07-12T09:00:00.000Z'],
    ['a minute, the one that is now left out', '* * * * *', '2026-07-07T12:01:00.000Z'],
    ['a leap day', '0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
    ['a day that few months have', '0 9 31 2,3 *', '2027-03-31T09:00:00.000Z'],
    ['one day or the other', '0 9 20 * 1', '2026-07-13T09:00:00.000Z'],
    ['a star with a step of one beside a restricted day', '0 9 20 * */1', '2026-07-20T09:00:00.000Z'],
    ['a list with a star beside a restricted day', '0 9 20 * *,1', '2026-07-20T09:00:00.000Z'],
    ['a step from a value on', '5/20 * * * *', '2026-07-07T12:05:00.000Z'],
    ['a step of one from a value on', '30/1 * * * *', '2026-07-07T12:30:00.000Z'],
    ['a step beyond the field', '*/99 * * * *', '2026-07-07T13:00:00.000Z'],
    ['a range with a step beyond the field', '10-20/61 * * * *', '2026-07-07T12:10:00.000Z'],
    ['a list with a value twice', '0 0 8,8 * *', '2026-07-08T00:00:00.000Z'],
    ['leading zeros', '05 09 08 07 *', '2026-07-08T09:05:00.000Z'],
  ])('%s: %s', (_what, cron, expected) => {
    expect(next(cron)).toBe(expected);
  });

  it('is after the given moment, to the millisecond', () => {
    expect(next('0 9 * * *', '2026-07-07T08:59:59.999Z')).toBe('2026-07-07T09:00:00.000Z');
    expect(next('0 9 * * *', '2026-07-07T09:00:00.000Z')).toBe('2026-07-08T09:00:00.000Z');
    expect(next('0 9 * * *', '2026-07-07T09:00:00.001Z')).toBe('2026-07-08T09:00:00.000Z');
  });

  it('is the same hour of UTC all year, in whatever zone the machine is', () => {
    for (const day of ['2026-03-07', '2026-03-28', '2026-10-24', '2026-10-31']) {
      expect(next('30 2 * * *', `${day}T12:00:00Z`)).toMatch(/T02:30:00\.000Z$/);
    }
  });

  it('is nothing where a series never comes', () => {
    expect(next('0 9 31 2 *')).toBeUndefined();
    expect(next('0 9 31 2 *,1')).toBeUndefined();
    expect(next('* * * * *', Date.UTC(9999, 11, 31, 23, 59, 59))).toBeUndefined();
  });

  it('was last when the one before the next was', () => {
    for (const cron of ['* * * * *', '*/7 3,5 * * *', '0 9 20 * 1', '0 0 29 2 *']) {
      const first = nextCronRun(cron, tuesdayNoon) ?? 0;
      const second = nextCronRun(cron, first) ?? 0;
      expect([first, second - 1, second].map((ms) => previousCronRun(cron, ms))).toEqual([
        first,
        first,
        second,
      ]);
    }
    expect(previousCronRun('0 9 31 2 *', tuesdayNoon)).toBeUndefined();
  });

  it.each([
    ['* * * * *', 1440, 366 * 1440],
    ['*/7 3,5 * * *', 18, 366 * 18],
    ['0 9 20 * 1', 0, 63],
    ['0 0 29 2 *', 0, 0],
    ['0 9 31 2 *', 0, 0],
  ])('is counted by whole days: %s', (cron, ofToday, ofAYear) => {
    expect(countCronRuns(cron, tuesdayNoon, tuesdayNoon)).toBe(ofToday);
    expect(countCronRuns(cron, tuesdayNoon, tuesdayNoon + 365 * 86_400_000)).toBe(ofAYear);
  });

  it('is found for whatever the contract takes', () => {
    const value = fc.oneof(fc.nat(60).map(String), fc.constantFrom('*', 'jan', 'dec', 'sun', 'sat', '07'));
    const range = fc.oneof(
      { weight: 3, arbitrary: value },
      fc.tuple(value, value).map((pair) => pair.join('-')),
    );
    const item = fc.oneof(
      range,
      fc.tuple(range, fc.integer({ min: 1, max: 99 })).map((pair) => pair.join('/')),
    );
    const list = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
    const field = fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, list);
    const expressions = fc
      .tuple(field, field, field, field, field)
      .map((fields) => fields.join(' '))
      .filter((text) => cronExpression.check(text).length === 0);
    fc.assert(
      fc.property(expressions, (expression) => {
        const runMs = nextCronRun(expression, tuesdayNoon) ?? Infinity;
        expect(runMs).toBeGreaterThan(tuesdayNoon);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same hour of a time zone in summer and in winter', () => {
    const berlin = (after: string): string =>
      new Date(nextCronRun('0 9 * * *', Date.parse(after), 'Europe/Berlin') ?? 0).toISOString();
    expect(berlin('2026-03-28T12:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
    expect(berlin('2026-10-24T12:00:00Z')).toBe('2026-10-25T08:00:00.000Z');
    expect(previousCronRun('0 9 * * *', Date.parse('2026-10-25T08:00:00Z') - 1, 'Europe/Berlin')).toBe(
      Date.parse('2026-10-24T07:00:00Z'),
    );
  });

  it('is nothing for a text that is no expression', () => {
    expect(nextCronRun('soon', tuesdayNoon)).toBeUndefined();
    expect(countCronRuns('soon', tuesdayNoon, tuesdayNoon)).toBe(0);
  });
});
