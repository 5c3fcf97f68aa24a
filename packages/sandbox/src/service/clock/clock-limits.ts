const dayMs = 86_400_000;

/** The sandbox's own limits: beyond them, times could no longer be written as ISO 8601 with four digits of year. */
export const clockLimits = {
  /** A thousand is a year in nine hours, this one is a year in half a minute. */
  longestScale: 1_000_000,
  /** A year at once; more in several steps. */
  longestAdvanceMs: 366 * dayMs,
  /** Where the sandbox's time ends. */
  latestMs: Date.UTC(9999, 11, 31),
} as const;

/** Throws `RangeError` when no clock can run at this scale. */
export function checkTimeScale(timeScale: number): void {
  if (timeScale > 0 && timeScale <= clockLimits.longestScale) return;
  throw new RangeError(
    `The time scale is ${String(timeScale)}; give a number above 0, at most ${String(clockLimits.longestScale)}.`,
  );
}

/** Throws `RangeError` when a clock cannot be moved on by so much. */
export function checkAdvance(byMs: number): void {
  if (byMs >= 0 && byMs <= clockLimits.longestAdvanceMs) return;
  throw new RangeError(
    `The clock cannot move on by ${String(byMs)} ms: give 0 to ${String(clockLimits.longestAdvanceMs)} (a year), several times for more.`,
  );
}
