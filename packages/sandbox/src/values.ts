import { z } from 'zod';

// Helpers for values from outside: JSON whose shape is unknown, and text to repeat in a message or on a page.

const objectSchema = z.record(z.string(), z.unknown());

export type JsonObject = z.infer<typeof objectSchema>;

/** The value as an object; an empty one if it is not an object. */
export function toObject(value: unknown): JsonObject {
  const parsed = objectSchema.safeParse(value);
  return parsed.success ? parsed.data : {};
}

/** The value as a list of objects; an empty one if it is not a list. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}

/** The value as text; '' if it is neither text nor a number. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Deeper than any valid input. Deeper values would be walked through repeatedly for nothing. */
export const maxLevels = 40;

/** Whether a value parsed from JSON is nested deeper than that. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= maxLevels; depth += 1) {
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
