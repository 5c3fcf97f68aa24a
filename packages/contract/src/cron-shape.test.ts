import { describe, expect, it } from 'vitest';

import { isCronExpression } from './cron-shape.ts';

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
