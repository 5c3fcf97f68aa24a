/** Makes Slack's message ids: the time in microseconds, always later than the one before. */
export function createTsClock(clock: () => number): () => string {
  let lastMicroseconds = 0;
  return () => {
    lastMicroseconds = Math.max(Math.floor(clock()) * 1000, lastMicroseconds + 1);
    const seconds = Math.floor(lastMicroseconds / 1_000_000);
    return `${String(seconds)}.${String(lastMicroseconds % 1_000_000).padStart(6, '0')}`;
  };
}
