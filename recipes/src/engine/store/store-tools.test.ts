import { expect, it } from 'vitest';

import { createGate, readOccurrenceMs } from './store-tools.ts';

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

it.each([
  ['2026-07-07T12:00:00Z', 1_783_425_600_000],
  ['2026-07-07T14:00:00.250+02:00', 1_783_425_600_250],
  ['', 0],
  ['soon', 0],
  ['1969-12-31T23:59:59Z', 0],
])('reads the occurrence %j', (occurrence, atMs) => {
  expect(readOccurrenceMs(occurrence)).toBe(atMs);
});
