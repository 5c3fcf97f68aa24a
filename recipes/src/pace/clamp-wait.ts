/** What keeps a mistaken or hostile `Retry-After` from putting an effect aside for years. */
const longestMs = 60 * 60 * 1000;

/** A wait that somebody else asked for, up to an hour: after that it is asked again. Milliseconds. */
export function clampWait(askedMs: number): number {
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), longestMs);
}
