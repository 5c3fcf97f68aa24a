/** How soon a process that ended is replaced. */
export interface RestartPolicy {
  readonly longestPauseMs: number;
  /** A process has come up. */
  noteUp(): void;
  /** Milliseconds until the next start; undefined after so many failed starts that another has little hope. */
  pauseAfter(end: { readonly startedMs: number; readonly wasUp: boolean }): number | undefined;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** Whoever lived this long did not die of its start. */
const LONG_LIFE_MS = 60_000;
const MOST_FAILED_STARTS = 6;

/** Each end soon after a start doubles the pause, so that what crashes at once does not keep the machine busy. */
export function createRestartPolicy(nowMs: () => number): RestartPolicy {
  let shortLives = 0;
  let failedStarts = 0;
  return {
    longestPauseMs: LONGEST_PAUSE_MS,
    noteUp() {
      failedStarts = 0;
    },
    pauseAfter({ startedMs, wasUp }) {
      if (!wasUp) failedStarts += 1;
      if (failedStarts >= MOST_FAILED_STARTS) return undefined;
      if (wasUp && nowMs() - startedMs >= LONG_LIFE_MS) shortLives = 0;
      else shortLives += 1;
      return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** shortLives);
    },
  };
}
