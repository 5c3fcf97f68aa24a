import type { EffectJob } from '@aftermeet/queue';

import type { DeliveryPolicy } from './policy.ts';

const hourMs = 60 * 60 * 1000;

const dayMs = 24 * hourMs;

const MAX_REPORTED_WAIT_MS = 60 * 1000;

/** What was met long ago, because the worker was away since, is still tried this often. */
const fewestTimes = 5;

/** What stands in an effect's way, as its job carries it from start to start. */
export type Obstacle = NonNullable<EffectJob['obstacle']>;

export type RetryLimits = Pick<DeliveryPolicy, 'firstWaitMs' | 'maxWaitMs' | 'patienceMs'>;

/** What is met now: once more what was met before, or something else. Pure. */
export function meetObstacle(before: Obstacle | undefined, why: string, nowMs: number): Obstacle {
  if (before?.why !== why) return { why, sinceMs: nowMs, times: 1 };
  return { ...before, times: before.times + 1 };
}

/**
 * What becomes of an effect that surely was not sent and may be sent later: put aside, which burns no attempt, until
 * it has met the same obstacle for as long as patience lasts. `forMs` is what the destination or the service asked for, `random` gives 0 up
 * to 1. Pure.
 */
export function retryLater(
  { cause, forMs }: { readonly cause: string; readonly forMs?: number | undefined },
  { sinceMs, times }: Obstacle,
  limits: RetryLimits,
  nowMs: number,
  random: () => number,
): { readonly kind: 'wait'; readonly forMs: number } | { readonly kind: 'failed'; readonly cause: string } {
  if (nowMs - sinceMs > limits.patienceMs && times >= fewestTimes) {
    return { kind: 'failed', cause: `${cause}; it was tried for ${describeTime(limits.patienceMs)}` };
  }
  if (forMs === undefined) return { kind: 'wait', forMs: growWait(times, limits, random) };
  // A destination that says "at once" again and again is asked less and less often all the same.
  const maxWaitMs = Math.min(MAX_REPORTED_WAIT_MS, limits.maxWaitMs);
  const ownMs = growWait(times, { ...limits, maxWaitMs }, random);
  return { kind: 'wait', forMs: Math.max(clampWait(forMs), ownMs) };
}

function describeTime(timeMs: number): string {
  if (timeMs >= dayMs) return describeCount(timeMs / dayMs, 'day');
  if (timeMs >= hourMs) return describeCount(timeMs / hourMs, 'hour');
  return describeCount(timeMs / 60_000, 'minute');
}

function describeCount(count: number, unit: string): string {
  const shown = Number(count.toFixed(1));
  return `${shown} ${unit}${shown === 1 ? '' : 's'}`;
}

/** What keeps a mistaken or hostile `Retry-After` from putting an effect aside for years. */
const MAX_ASKED_MS = 60 * 60 * 1000;

/** A wait that the other side asked for, at most an hour: after that it is asked again. Milliseconds. */
export function clampWait(askedMs: number): number {
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), MAX_ASKED_MS);
}

/** How waits grow. Milliseconds. */
interface WaitGrowth {
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

/**
 * The wait after the nth try: twice as long each time up to the longest, its last half at random, so that what failed
 * together does not come back together. `random` gives 0 up to 1.
 */
export function growWait(
  tries: number,
  { firstWaitMs, maxWaitMs }: WaitGrowth,
  random: () => number,
): number {
  const fullMs = Math.min(firstWaitMs * 2 ** Math.min(Math.max(tries - 1, 0), 30), maxWaitMs);
  return Math.round(fullMs * (0.5 + random() / 2));
}
