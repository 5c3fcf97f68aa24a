import { expect, it } from 'vitest';

import { readAcceptAnswers } from './accept-answers.ts';

it('reads one digit for each delivery', () => {
  expect(readAcceptAnswers('0123', 4)).toEqual([
    { kind: 'accepted', isConflict: false },
    { kind: 'duplicate', isConflict: false },
    { kind: 'accepted', isConflict: true },
    { kind: 'duplicate', isConflict: true },
  ]);
});

it('takes nothing else for an answer: silence is no acceptance', () => {
  for (const answers of [undefined, null, '', '0', '000', '04', '0 ', 0, ['0', '0']]) {
    expect(() => readAcceptAnswers(answers, 2)).toThrow('one digit for each delivery');
  }
});
