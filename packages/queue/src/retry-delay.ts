const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60 * 1000;

/**
 * Milliseconds until the next try: doubled each time, at most 15 minutes, and somewhere in the upper
 * half of that, so that jobs that failed together don't come back together.
 */
export function retryDelayMs(attemptsMade: number, random: () => number = Math.random): number {
  const fullMs = Math.min(FIRST_MS * 2 ** Math.max(0, attemptsMade - 1), LONGEST_MS);
  return Math.round(fullMs / 2 + (fullMs / 2) * random());
}
