import { describe, expect, it } from 'vitest';

import { retryLater } from './retry-later.ts';

const receivedAt = '2026-07-07T12:00:00.000Z';
const receivedMs = Date.parse(receivedAt);
const hourMs = 3_600_000;
const minuteMs = 60_000;

describe('retryLater', () => {
  it('waits longer and longer, at most a quarter of an hour', () => {
    const waits = [1, 2, 3, 8, 9, 500].map((startedTimes) =>
      retryLater({ cause: 'away' }, { startedTimes, receivedAt }, receivedMs),
    );
    expect(waits.map((wait) => wait.kind === 'wait' && wait.forMs)).toEqual([
      5000,
      10_000,
      20_000,
      640_000,
      15 * minuteMs,
      15 * minuteMs,
    ]);
  });

  it.each([
    [1, 7000, 7000],
    [1, 0, 5000],
    [9, 7000, 60_000],
    [9, 600_000, 600_000],
    [1, 99_999_999_999, 3_600_000],
  ])('at start %d comes back after the %d ms it was told, within reason', (startedTimes, forMs, waitMs) => {
    expect(retryLater({ cause: 'away', forMs }, { startedTimes, receivedAt }, receivedMs)).toEqual({
      kind: 'wait',
      forMs: waitMs,
      cause: 'away',
    });
  });

  it('gives up when the event is three days old, and says so', () => {
    const job = { startedTimes: 300, receivedAt };
    expect(retryLater({ cause: 'away' }, job, receivedMs + 72 * hourMs).kind).toBe('wait');
    expect(retryLater({ cause: 'away' }, job, receivedMs + 72 * hourMs + 1)).toEqual({
      kind: 'failed',
      cause: 'away; it was tried until the event was 3 days old',
    });
  });

  it('does not give up at once on an event that is old when it is first tried', () => {
    const nowMs = receivedMs + 1000 * hourMs;
    expect(retryLater({ cause: 'away' }, { startedTimes: 11, receivedAt }, nowMs).kind).toBe('wait');
    expect(retryLater({ cause: 'away' }, { startedTimes: 12, receivedAt }, nowMs).kind).toBe('failed');
  });
});
