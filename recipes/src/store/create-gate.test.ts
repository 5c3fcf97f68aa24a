import { expect, it } from 'vitest';

import { createGate } from './create-gate.ts';

it('lets commands pass while it is open', async () => {
  const gate = createGate();
  expect(await gate.pass(() => Promise.resolve(1))).toBe(1);
  await expect(gate.pass(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
});

it('leaves nobody waiting once it is closed, and lets nobody in', async () => {
  const gate = createGate();
  const ended = Promise.allSettled([gate.pass(() => new Promise(() => {}))]);
  gate.close();
  expect(await ended).toMatchObject([{ status: 'rejected' }]);
  let asked = 0;
  await expect(gate.pass(() => Promise.resolve((asked += 1)))).rejects.toThrow('closed meanwhile');
  expect(asked).toBe(0);
});
