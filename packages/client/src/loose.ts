/** Readers for untrusted values: each returns what it found, or undefined, and never throws. */

export type Fields = Readonly<Record<string, unknown>>;

/** Nothing is copied: what an object inherits (`constructor`, `toString`) is neither a text nor a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asFields(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** A non-blank text; numbers become text, because ids arrive as either. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The entries of what should be a list: nothing and blank are empty ones, a single text or object is its only
 * entry. A bare number or flag is no entry, and `undefined` stands for it: an unreadable one.
 */
export function asEntries(value: unknown): readonly unknown[] {
  const opened = openText(value);
  if (Array.isArray(opened)) return opened;
  if (typeof opened === 'number' || typeof opened === 'boolean') return [undefined];
  return asFilled(opened) === undefined ? [] : [opened];
}

/** JSON inside a text, opened; any other value as it is. */
export function openText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // It only looked like JSON, as `[ ] buy milk` does.
    return value;
  }
}

/** The first of several fields that holds a text: services rename fields, they rarely drop them. */
export function firstText(fields: Fields, ...names: readonly string[]): string | undefined {
  return readFirst(fields, names, asText);
}

/** The first of several fields in which the reader finds something. */
export function readFirst<T>(
  fields: Fields,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const name of names) {
    const found = read(fields[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** For `readFirst`: a value of any kind. */
export function asPresent(value: unknown): unknown {
  return value ?? undefined;
}

/** For `readFirst`: any value but a blank text and an empty list. */
export function asFilled(value: unknown): unknown {
  const isBlank =
    typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
  return isBlank ? undefined : asPresent(value);
}

/** Names given in snake_case, each followed by its camelCase spelling. */
export function spellNames(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const camel = name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    return camel === name ? [name] : [name, camel];
  });
}

/** For building an object field by field: an absent field stays absent. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An id as text. A number that JSON cannot hold exactly has become the id of something else. */
export function asId(value: unknown): string | undefined {
  return isInexact(value) ? undefined : asText(value);
}

/** Whether a number is beyond those that arrive as they were sent (2^53). */
export function isInexact(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
