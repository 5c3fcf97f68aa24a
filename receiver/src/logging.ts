const INTERVAL_MS = 1000;

/**
 * Limits a log line to one per second, so that a flood of requests does not become a flood of lines. The first call
 * writes at once. `write` gets the number of calls since the last line, the current one included.
 */
export function createLogThrottle(write: (times: number) => void, nowMs: () => number): () => void {
  let times = 0;
  let writtenMs = Number.NEGATIVE_INFINITY;
  return () => {
    times += 1;
    const now = nowMs();
    // The absolute difference, because a clock that was set back must not stop the lines.
    if (Math.abs(now - writtenMs) < INTERVAL_MS) return;
    write(times);
    times = 0;
    writtenMs = now;
  };
}

/** The name of an error for the log. Its message may quote what was being read. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
