/** More levels than anything has that a caller may send; what is deeper would be walked through again and again for nothing. */
export const maxLevels = 40;

/** Whether a value read from JSON is nested deeper than that. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= maxLevels; depth += 1) {
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
    if (level.length === 0) return false;
  }
  return true;
}
