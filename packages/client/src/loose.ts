/** Readers for values nobody vouches for: each returns what it found, or undefined, and never throws. */

export type Fields = Readonly<Record<string, unknown>>;

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

/** A non-blank text; numbers become text, because ids arrive as either. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The first of several fields that holds a text: services rename fields, they rarely drop them. */
export function firstText(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = asText(fields[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}
