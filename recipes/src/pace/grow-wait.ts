/** How waits grow. Milliseconds. */
export interface WaitGrowth {
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/**
 * The wait after the nth try: twice as long each time up to the longest, its last half at random, so that what failed
 * together does not come back together. `random` gives 0 up to 1.
 */
export function growWait(
  tries: number,
  { firstWaitMs, longestWaitMs }: WaitGrowth,
  random: () => number,
): number {
  const fullMs = Math.min(firstWaitMs * 2 ** Math.min(Math.max(tries - 1, 0), 30), longestWaitMs);
  return Math.round(fullMs * (0.5 + random() / 2));
}
