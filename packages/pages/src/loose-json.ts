import { z } from 'zod';

const objectSchema = z.record(z.string(), z.unknown());

export type LooseObject = z.infer<typeof objectSchema>;

/** The value as an object; an empty one if it is not an object. */
export function toObject(value: unknown): LooseObject {
  const parsed = objectSchema.safeParse(value);
  return parsed.success ? parsed.data : {};
}

/** The value as a list of objects; an empty one if it is not a list. */
export function toObjects(value: unknown): readonly LooseObject[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}

/** The value as text; '' if it is neither text nor a number. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
