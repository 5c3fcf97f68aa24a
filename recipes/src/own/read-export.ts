import type { z } from 'zod';

/** Whether a value is a schema, also of another copy of zod. */
export function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'safeParse' in value;
}

/** Whether a value is the schema of an object, also of another copy of zod. */
export function isObjectSchema(value: unknown): boolean {
  return isSchema(value) && typeof value === 'object' && value !== null && 'shape' in value;
}

/** What is wrong with the default export of a module. `what` is a recipe or a destination. */
export function describeWrongExport(error: z.ZodError, place: string, what: 'recipe' | 'destination') {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).join('.');
  const where = path === '' ? 'its default export' : path;
  const found = `${place} whose ${what} is not right: ${where}`;
  return { ok: false, found, expected: issue?.message ?? 'another value' } as const;
}
