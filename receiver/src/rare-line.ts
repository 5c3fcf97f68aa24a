const EVERY_MS = 1000;

/**
 * Lets a line be written at once and then at most once in a second, however often it is asked for: a flood of requests
 * must not become a flood of lines. `write` is told how many times were asked since the last line, this one included.
 */
export function createRareLine(write: (times: number) => void, nowMs: () => number): () => void {
  let times = 0;
  let writtenMs = Number.NEGATIVE_INFINITY;
  return () => {
    times += 1;
    const now = nowMs();
    // A clock that was set back must not end the lines.
    if (Math.abs(now - writtenMs) < EVERY_MS) return;
    write(times);
    times = 0;
    writtenMs = now;
  };
}
