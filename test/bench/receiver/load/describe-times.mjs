/** The middle, the hundredth and the longest of some times in milliseconds. */
export function describeTimes(timesMs) {
  const sorted = timesMs.toSorted();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
