import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { clampWait, growWait, meetObstacle, retryLater } from './retry-later.ts';

const limits = { firstWaitMs: 5000, maxWaitMs: 900_000, patienceMs: 259_200_000 };

const sinceMs = Date.parse('2026-07-07T12:00:00.000Z');

const longest = () => 1;

function met(times: number) {
  return { why: 'destination', sinceMs, times };
}

describe('meetObstacle', () => {
  it('counts the same obstacle from when it was first met, and another one anew', () => {
    const first = meetObstacle(undefined, 'service', 1000);
    expect(first).toEqual({ why: 'service', sinceMs: 1000, times: 1 });
    const second = meetObstacle(first, 'service', 7000);
    expect(second).toEqual({ why: 'service', sinceMs: 1000, times: 2 });
    expect(meetObstacle(second, 'destination', 9000)).toEqual({
      why: 'destination',
      sinceMs: 9000,
      times: 1,
    });
  });
});

describe('retryLater', () => {
  it('waits longer and longer, up to the longest wait', () => {
    const waits = [0, 1, 2, 3, 8, 9, 500, 1_000_000].map((times) =>
      retryLater({ cause: 'away' }, met(times), limits, sinceMs, longest),
    );
    expect(waits).toEqual(
      [5000, 5000, 10_000, 20_000, 640_000, 900_000, 900_000, 900_000].map((forMs) => ({
        kind: 'wait',
        forMs,
      })),
    );
  });

  it('leaves the last half of a wait to chance', () => {
    const waits = [0, 0.5, 1].map((chance) =>
      retryLater({ cause: 'away' }, met(2), limits, sinceMs, () => chance),
    );
    expect(waits).toEqual([5000, 7500, 10_000].map((forMs) => ({ kind: 'wait', forMs })));
  });

  it.each([
    [1, 7000, 7000],
    [1, 0, 5000],
    [2, 0, 10_000],
    [9, 7000, 60_000],
    [9, 600_000, 600_000],
    [1, 99_999_999_999, 3_600_000],
  ])('the %d. time comes back after the %d ms it was told, within reason', (times, forMs, waitMs) => {
    expect(retryLater({ cause: 'away', forMs }, met(times), limits, sinceMs, longest)).toEqual({
      kind: 'wait',
      forMs: waitMs,
    });
  });

  it.each([
    [259_200_000, '3 days'],
    [86_400_000, '1 day'],
    [5_400_000, '1.5 hours'],
    [600_000, '10 minutes'],
  ])('gives up after it was in the way for %d ms, and says so', (patienceMs, time) => {
    const retryAt = (nowMs: number) =>
      retryLater({ cause: 'away' }, met(300), { ...limits, patienceMs }, nowMs, longest);
    expect(retryAt(sinceMs + patienceMs).kind).toBe('wait');
    expect(retryAt(sinceMs + patienceMs + 1)).toEqual({
      kind: 'failed',
      cause: `away; it was tried for ${time}`,
    });
  });

  it('does not give up on what was met long ago and not tried since', () => {
    const retryAt = (times: number) =>
      retryLater({ cause: 'away' }, met(times), limits, sinceMs + 999_999_999, longest).kind;
    expect([retryAt(2), retryAt(4), retryAt(5)]).toEqual(['wait', 'wait', 'failed']);
  });
});

it.each([
  [0, 0],
  [-5, 0],
  [30_000, 30_000],
  [99_999_999_999_000, 3_600_000],
  [Number.POSITIVE_INFINITY, 3_600_000],
  [Number.NaN, 0],
])('a wait of %d ms becomes %d ms', (askedMs, waitMs) => {
  expect(clampWait(askedMs)).toBe(waitMs);
});

it('stays between half of the first wait and the longest', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.nat(), chance, (tries, random) => {
      const waitMs = growWait(tries, limits, () => random);
      expect(waitMs).toBeGreaterThanOrEqual(2500);
      expect(waitMs).toBeLessThanOrEqual(900_000);
    }),
  );
});
