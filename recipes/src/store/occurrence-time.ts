/**
 * An occurrence as milliseconds since 1970, so that two of them can be compared however they are written; 0 when it is
 * no time, which is neither older nor newer than another one.
 */
export function readOccurrenceMs(occurrence: string): number {
  const atMs = Date.parse(occurrence);
  return Number.isFinite(atMs) ? Math.max(atMs, 0) : 0;
}
