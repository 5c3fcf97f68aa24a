// Helpers for values from outside: how deep they are, and text to repeat in a message.

/** Deeper than any valid input. Deeper values would be walked through repeatedly for nothing. */
const MAX_LEVELS = 40;

/** Whether a value parsed from JSON is nested deeper than that. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_LEVELS; depth += 1) {
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** A name from outside, for an error message: quoted, on one line, at most 40 characters. */
export function quoteName(name: string): string {
  return `"${shorten(name.replaceAll(/[\p{C}\p{Z}]+/gu, ' '), 40)}"`;
}

/** At most `max` characters (UTF-16 units), the last one an ellipsis if the text was cut; no character is cut in half. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
