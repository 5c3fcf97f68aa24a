import fc from 'fast-check';
import { expect, it } from 'vitest';

import { describeCron } from './describe-cron.ts';

it.each([
  ['0 9 * * 1', 'at 09:00 UTC on Monday'],
  ['0 9,17 * * 1-5', 'at 09:00 and 17:00 UTC on Monday to Friday'],
  ['30 8 * * *', 'at 08:30 UTC every day'],
  ['* * * * *', 'every minute every day'],
  ['*/1 */1 */1 */1 */1', 'every minute every day'],
  ['5 * * * *', 'at minute 5 of every hour every day'],
  ['*/15 9-17 * * mon-fri', 'at the minutes 0, 15, 30 and 45 of the hours 9 to 17 UTC on Monday to Friday'],
  ['*/5 0 * * *', 'at the minutes 0 to 59 in steps of 5 of hour 0 UTC every day'],
  ['0,10-40/5 8 * * *', 'at the minutes 0 and 10 to 40 in steps of 5 of hour 8 UTC every day'],
  ['0 9 1,15 * *', 'at 09:00 UTC on the days 1 and 15 of the month'],
  ['0 9 1 * 1', 'at 09:00 UTC on day 1 of the month or on Monday'],
  ['0 9 31 1 *', 'at 09:00 UTC on day 31 of the month in January'],
  ['0 9 * JAN,6-8 7', 'at 09:00 UTC on Sunday in January and June to August'],
  ['0 9 * */6 *', 'at 09:00 UTC every day in January and July'],
  ['0 9 * * */2', 'at 09:00 UTC on Sunday, Tuesday, Thursday and Saturday'],
  ['0 9 * * 5-7', 'at 09:00 UTC on Friday to Sunday'],
  ['0 9 * * 0,7', 'at 09:00 UTC on Sunday'],
  ['0 9 * * *,1', 'at 09:00 UTC every day'],
  ['*/80 9 * * *', 'at 09:00 UTC every day'],
])('%j is %j', (cron, words) => {
  expect(describeCron(cron)).toBe(words);
});

it.each(['', 'soon', '0 9 * *', '0 9 * * 1 *', '60 9 * * *', '<script>'])('leaves %j as it is', (text) => {
  expect(describeCron(text)).toBe(text);
});

it('finds words for every expression', () => {
  const part = fc
    .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 99 }))
    .chain(([from, more, step]) =>
      fc.constantFrom('*', String(from), `${from}-${from + more}`, `${from}/${step}`, `*/${step}`),
    );
  const field = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','));
  // Up to 7 all numbers fit in every field.
  const small = field.filter((text) => !/-(?:[89]|1\d)/.test(text));
  fc.assert(
    fc.property(fc.tuple(small, small, small, small, small), (fields) => {
      const words = describeCron(fields.join(' '));
      expect(words).toMatch(
        /^(?:every minute|at [\w:, ]+ (?:UTC|every hour)) (?:of [\w, ]+ UTC )?(?:every day|on .+)( in [A-Z][\w, ]+)?$/,
      );
      expect(words).not.toMatch(/undefined|NaN|\*| {2}/);
    }),
  );
});
