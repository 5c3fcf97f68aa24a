import { expect, it } from 'vitest';

import { describeSpan } from './describe-span.ts';

it.each([
  [0, 'less than 1 s'],
  [999, 'less than 1 s'],
  [1000, '1 s'],
  [119_999, '119 s'],
  [120_000, '2 min'],
  [7_199_999, '119 min'],
  [7_200_000, '2 h'],
  [172_799_999, '47 h'],
  [172_800_000, '2 days'],
  [31_622_400_000, '366 days'],
])('%i ms are %s', (ms, words) => {
  expect(describeSpan(ms)).toBe(words);
});
