const shortestMs = 1000;
/** Also what keeps a mistaken or hostile `Retry-After` from putting an effect aside for years. */
const longestMs = 60 * 60 * 1000;

/** A wait that somebody else asked for, between a second and an hour: after that it is asked again. */
export function clampWait(askedMs: number): number {
  return Math.min(Math.max(askedMs, shortestMs), longestMs);
}
