import { expect, it } from 'vitest';

import { answerWithin } from './answer-within.ts';

it('settles as the promise does', async () => {
  expect(await answerWithin(Promise.resolve(1), 1000)).toBe(1);
  await expect(answerWithin(Promise.reject(new Error('away')), 1000)).rejects.toThrow('away');
});

it('rejects when it takes too long', async () => {
  await expect(answerWithin(new Promise(() => {}), 5)).rejects.toThrow('no answer within 5 ms');
});
