const firstWaitMs = 5000;

/** 5 seconds, then twice as long each time, at most 5 minutes unless told otherwise. */
export function growWait(startedTimes: number, longestMs = 300_000): number {
  return Math.min(firstWaitMs * 2 ** Math.min(Math.max(startedTimes - 1, 0), 16), longestMs);
}
