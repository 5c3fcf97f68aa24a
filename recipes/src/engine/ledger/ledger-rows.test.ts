import { expect, it } from 'vitest';

import { readClaims, readSettled } from './ledger-rows.ts';

it('reads claims, numbers as text or not', () => {
  const answers = [
    ['claimed', '3', ''],
    ['claimed', 1, 'C1/2.3'],
    ['probe', '1795000001', '1795000000000', 2, 'C1/2.3'],
    ['busy', '1795000015000'],
    ['sent', ''],
    ['skipped', 'the same'],
    ['failed', 'refused'],
    ['parked', ''],
  ];
  expect(readClaims(answers)).toEqual([
    { state: 'claimed', fence: 3 },
    { state: 'claimed', fence: 1, previous: 'C1/2.3' },
    {
      state: 'probe',
      fence: 1_795_000_001,
      firstIntentAtMs: 1_795_000_000_000,
      probes: 2,
      previous: 'C1/2.3',
    },
    { state: 'busy', untilMs: 1_795_000_015_000 },
    { state: 'sent', reference: '' },
    { state: 'skipped', cause: 'the same' },
    { state: 'failed', cause: 'refused' },
    { state: 'parked', cause: '' },
  ]);
});

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
