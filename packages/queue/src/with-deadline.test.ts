import { expect, it } from 'vitest';

import { withDeadline } from './with-deadline.ts';

it('settles as the promise does', async () => {
  expect(await withDeadline(Promise.resolve(1), 1000)).toBe(1);
  await expect(withDeadline(Promise.reject(new Error('away')), 1000)).rejects.toThrow('away');
});

it('rejects when it takes too long', async () => {
  await expect(withDeadline(new Promise(() => {}), 5)).rejects.toThrow('no answer within 5 ms');
});
