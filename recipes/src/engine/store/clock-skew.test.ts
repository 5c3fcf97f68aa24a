import { expect, it } from 'vitest';

import { createClockSkew } from './clock-skew.ts';

/** A clock that goes on by half a trip with each look at it. */
function measure(storeAheadMs: number, tripMs: number) {
  let nowMs = 1000;
  const readStore = (): Promise<number> => {
    const storeMs = nowMs + tripMs / 2 + storeAheadMs;
    nowMs += tripMs;
    return Promise.resolve(storeMs);
  };
  return createClockSkew(readStore, () => nowMs);
}

it.each([
  [0, 10, 0],
  [300, 10, 300],
  [-300, 10, -300],
  [25, 4, 0],
  [40, 4, 40],
  // The answer took so long that it proves nothing.
  [300, 800, 0],
])('a store %d ms ahead, asked in %d ms, means %d ms', async (aheadMs, tripMs, skewMs) => {
  const skew = measure(aheadMs, tripMs);
  expect(skew.skewMs()).toBe(0);
  await skew.refresh();
  expect(skew.skewMs()).toBe(skewMs);
});

it('looks once a minute, and keeps what it knows while the store is away', async () => {
  let nowMs = 1000;
  let looks = 0;
  const readStore = (): Promise<number> => {
    looks += 1;
    return looks === 1 ? Promise.resolve(nowMs + 200) : Promise.reject(new Error('away'));
  };
  const skew = createClockSkew(readStore, () => nowMs);
  await skew.refresh();
  await skew.refresh();
  expect([looks, skew.skewMs()]).toEqual([1, 200]);
  nowMs += 60_000;
  await skew.refresh();
  expect([looks, skew.skewMs()]).toEqual([2, 200]);
});
