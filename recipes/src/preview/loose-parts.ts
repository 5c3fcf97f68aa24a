import { z } from 'zod';

const recordSchema = z.record(z.string(), z.unknown());

/** What a message is made of, read without knowing all its kinds: what is new in it is shown all the same. */
export type LooseParts = z.infer<typeof recordSchema>;

/** The value as an object, or an empty one. */
export function readParts(value: unknown): LooseParts {
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : {};
}

/** The value as a list of objects. */
export function readList(value: unknown): readonly LooseParts[] {
  return Array.isArray(value) ? value.map(readParts) : [];
}

/** The value as text; '' where it is none. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
