import { expect, it } from 'vitest';

import { readClaims, readSettled } from './ledger-rows.ts';

it.each([
  undefined,
  null,
  'claimed',
  [null],
  ['claimed'],
  [['claimed']],
  [['claimed', 'one', '']],
  [['claimed', '', '']],
  [['claimed', Number.NaN, '']],
  [['claimed', 1, null]],
  [['sent', 1]],
  [['pending']],
])('throws at %j', (answers) => {
  expect(() => readClaims(answers)).toThrow('not understood');
});

it('reads what was stored', () => {
  expect(readSettled([1, 0])).toEqual([true, false]);
  expect(() => readSettled([2])).toThrow('not understood');
  expect(() => readSettled('1')).toThrow('not understood');
});
