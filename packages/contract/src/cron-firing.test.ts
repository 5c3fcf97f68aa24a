import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canCronFire } from './cron-firing.ts';
import { isCronExpression } from './cron-shape.ts';

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
