import type { z } from 'zod';

const functions = { recipe: 'defineRecipe', destination: 'defineDestination' } as const;

/** The default export of a module, or what is wrong with it. `place` is its file or package, for people. */
export function readExport<Value>(
  schema: z.ZodType<Value>,
  exported: unknown,
  place: string,
  what: keyof typeof functions,
):
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly found: string; readonly expected: string } {
  if (exported === undefined) {
    const expected = `export default ${functions[what]}({ … })`;
    return { ok: false, found: `${place} without a default export`, expected };
  }
  const parsed = schema.safeParse(exported);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).join('.');
  const where = path === '' ? 'its default export' : path;
  return {
    ok: false,
    found: `${place} whose ${what} is not right: ${where}`,
    expected: issue?.message ?? 'another value',
  };
}

/** Whether a value is a schema, also of another copy of zod. */
export function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'safeParse' in value;
}

/** Whether a value is the schema of an object, also of another copy of zod. */
export function isObjectSchema(value: unknown): boolean {
  return isSchema(value) && typeof value === 'object' && value !== null && 'shape' in value;
}
