import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { measureLoopLag } from './loop-lag.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

it('is beyond its bound after two late turns, and within it after one that is not', () => {
  let nowMs = 5000;
  const lag = measureLoopLag(() => nowMs);
  const turn = (tookMs: number) => {
    nowMs += tookMs;
    vi.advanceTimersByTime(100);
    return [lag.seconds(), lag.isBeyond()];
  };
  expect(turn(100)).toEqual([0, false]);
  expect(turn(1300)).toEqual([1.2, false]);
  expect(turn(2100)).toEqual([2, true]);
  expect(turn(1101)).toEqual([1.001, true]);
  expect(turn(1100)).toEqual([1, false]);
  expect(turn(100)).toEqual([0, false]);
  lag.stop();
  expect(vi.getTimerCount()).toBe(0);
});
