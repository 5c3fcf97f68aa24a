import { describe, expect, it } from 'vitest';

import { createPeerLimit } from './peer-limit.ts';

describe('the limit per peer', () => {
  it('refuses after the burst, and says when to come back', () => {
    const limit = createPeerLimit({ burst: 2, perSecond: 0.5 });
    expect(limit.take('a', 0)).toEqual({ ok: true });
    expect(limit.take('a', 0)).toEqual({ ok: true });
    expect(limit.take('a', 0)).toEqual({ ok: false, retryAfterSeconds: 2 });
    expect(limit.take('b', 0)).toEqual({ ok: true });
    expect(limit.take('a', 1000)).toEqual({ ok: false, retryAfterSeconds: 1 });
    expect(limit.take('a', 2000)).toEqual({ ok: true });
  });

  it('remembers a bounded number of peers', () => {
    const limit = createPeerLimit({ burst: 1, perSecond: 0.001, maxPeers: 2 });
    limit.take('a', 0);
    limit.take('b', 0);
    limit.take('c', 0);
    expect(limit.take('a', 0)).toEqual({ ok: true });
    expect(limit.take('c', 0).ok).toBe(false);
  });

  it('gives nothing for a clock that goes backwards', () => {
    const limit = createPeerLimit({ burst: 1, perSecond: 1 });
    limit.take('a', 10_000);
    expect(limit.take('a', 0).ok).toBe(false);
  });
});
