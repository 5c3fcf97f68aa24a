import type { Knobs } from '../knobs/knobs.ts';

export interface RateLimiter {
  /** Counts a call. The whole seconds until the next one is answered, when this one is too many. */
  readonly take: (limit: Knobs['rateLimit']) => number | undefined;
  /** Forgets what was counted. */
  readonly reset: () => void;
}

/** Counts calls in stretches of time, each of which begins with the first call after the one before. `now` is in milliseconds. */
export function createRateLimiter(now: () => number): RateLimiter {
  let beganMs = -Infinity;
  let calls = 0;
  return {
    take(limit) {
      if (limit === null) return undefined;
      const nowMs = now();
      const endMs = beganMs + limit.perSeconds * 1000;
      if (nowMs >= endMs) {
        beganMs = nowMs;
        calls = 0;
      }
      calls += 1;
      return calls <= limit.requests ? undefined : Math.max(1, Math.ceil((endMs - nowMs) / 1000));
    },
    reset() {
      beganMs = -Infinity;
      calls = 0;
    },
  };
}
