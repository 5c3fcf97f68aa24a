import { describe, expect, it } from 'vitest';

import { createRateLimiter } from './rate-limits.ts';

describe('the limit per peer', () => {
  it('refuses after the burst, and says when to come back', () => {
    const limit = createRateLimiter({ burst: 2, perSecond: 0.5 });
    expect(limit.take('a', 0)).toEqual({ ok: true });
    expect(limit.take('a', 0)).toEqual({ ok: true });
    expect(limit.take('a', 0)).toEqual({ ok: false, retryAfterSeconds: 2 });
    expect(limit.take('b', 0)).toEqual({ ok: true });
    expect(limit.take('a', 1000)).toEqual({ ok: false, retryAfterSeconds: 1 });
    expect(limit.take('a', 2000)).toEqual({ ok: true });
  });

  it('keeps the 10,000 names that it saw last', () => {
    const limit = createRateLimiter({ burst: 1, perSecond: 0.001 });
    for (let count = 0; count <= 10_000; count += 1) limit.take(`name-${count}`, 0);
    expect(limit.take('name-10000', 0).ok).toBe(false);
    expect(limit.take('name-0', 0)).toEqual({ ok: true });
  });

  it('gives nothing for a clock that goes backwards', () => {
    const limit = createRateLimiter({ burst: 1, perSecond: 1 });
    limit.take('a', 10_000);
    expect(limit.take('a', 0).ok).toBe(false);
  });
});
