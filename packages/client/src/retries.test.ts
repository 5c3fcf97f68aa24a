import { describe, expect, it } from 'vitest';

import { ServiceError, type ServiceErrorFacts } from './errors.ts';
import { withRetries } from './retries.ts';
import { catchFault } from './testing/catch-fault.ts';
import { createFakeTime } from './testing/fake-time.ts';

/** Of calls without a `totalMs` it does not matter. */
const clock = (): number => 0;

function failing(times: number, facts: Partial<ServiceErrorFacts> = {}): () => Promise<number> {
  let made = 0;
  return async () => {
    made += 1;
    if (made <= times) throw new ServiceError({ code: 'server', operation: 'x', status: 503, ...facts });
    return made;
  };
}

describe('withRetries', () => {
  it('tells what failed and how long it waits', async () => {
    const told: (readonly [string, number])[] = [];
    const onRetry = (error: ServiceError, waitMs: number): void => void told.push([error.code, waitMs]);
    await withRetries({ clock, retries: 2, random: () => 1, wait: async () => {}, onRetry }, failing(2));
    expect(told).toEqual([
      ['server', 500],
      ['server', 1000],
    ]);
  });

  it('waits up to twice as long each time, and half a minute at most', async () => {
    const { wait, waits } = createFakeTime();
    expect(await withRetries({ clock, retries: 9, random: () => 1, wait }, failing(9))).toBe(10);
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('spreads the waits over the whole of that time', async () => {
    const { wait, waits } = createFakeTime();
    const values = [0, 0.5, 0.25];
    await withRetries({ clock, retries: 3, random: () => values.shift() ?? 0, wait }, failing(3));
    expect(waits).toEqual([0, 500, 500]);
  });

  it('gives up when no retries are left, with the last error', async () => {
    const { wait, waits } = createFakeTime();
    const error = await catchFault(withRetries({ clock, retries: 2, random: () => 1, wait }, failing(3)));
    expect(error).toMatchObject({ code: 'server', status: 503 });
    expect(waits).toHaveLength(2);
    await catchFault(withRetries({ clock, retries: 0, random: () => 1, wait }, failing(1)));
    expect(waits).toHaveLength(2);
  });

  it('obeys Retry-After with some jitter on top, up to a minute', async () => {
    const { wait, waits } = createFakeTime();
    const tools = { clock, retries: 4, random: () => 0.5, wait };
    await withRetries(tools, failing(1, { retryAfterMs: 7000 }));
    await withRetries(tools, failing(1, { retryAfterMs: 60_000 }));
    await withRetries(tools, failing(1, { retryAfterMs: 0 }));
    expect(waits).toEqual([7250, 60_250, 250]);
    const error = await catchFault(withRetries(tools, failing(1, { retryAfterMs: 60_001 })));
    expect(error.retryAfterMs).toBe(60_001);
    expect(waits).toHaveLength(3);
  });

  it('repeats nothing that is not retryable, and no other error', async () => {
    const { wait, waits } = createFakeTime();
    const tools = { clock, retries: 4, random: () => 1, wait };
    await catchFault(withRetries(tools, failing(1, { code: 'not_found', status: 404 })));
    await expect(withRetries(tools, () => Promise.reject(new RangeError('mine')))).rejects.toThrow('mine');
    expect(waits).toEqual([]);
  });

  it('keeps within its total time: a wait that leaves less than a second is not begun', async () => {
    const { wait, waits, clock: now } = createFakeTime();
    const lefts: number[] = [];
    const attempt = async (leftMs: number): Promise<never> => {
      lefts.push(leftMs);
      await wait(4000);
      throw new ServiceError({ code: 'server', operation: 'x', status: 503 });
    };
    const tools = { retries: 9, random: () => 1, wait, clock: now, totalMs: 15_000 };
    expect(await catchFault(withRetries(tools, attempt))).toMatchObject({ code: 'server' });
    expect(lefts).toEqual([15_000, 10_500, 5500]);
    expect(waits).toEqual([4000, 500, 4000, 1000, 4000]);
  });

  it('is aborted within a wait, also by a wait that does not listen', async () => {
    const controller = new AbortController();
    const tools = {
      clock,
      retries: 4,
      random: () => 1,
      wait: async () => controller.abort(new Error('a reason of the caller')),
    };
    const attempt = failing(1);
    const error = await catchFault(withRetries(tools, attempt, controller.signal));
    expect(error).toMatchObject({ code: 'aborted', operation: 'x', retryable: false });
    // The first attempt was the only one.
    expect(await attempt()).toBe(2);
  });
});
