import { z } from 'zod';

const recordSchema = z.record(z.string(), z.unknown());
export type Parts = z.infer<typeof recordSchema>;

/** The value as an object, or an empty one: pages show what they can and skip the rest. */
export function readParts(value: unknown): Parts {
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : {};
}

/** The value as a list of objects. */
export function readList(value: unknown): readonly Parts[] {
  return Array.isArray(value) ? value.map(readParts) : [];
}

/** The value as text; '' where it is none. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
