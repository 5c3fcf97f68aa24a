import { z } from 'zod';

import type { RecipeOption, RecipeProblem } from './recipe.ts';
import { listSchemaProblems } from './schema-problems.ts';

/** Problems with the values of `with`; none: the schema takes them. */
export function checkOptions(
  options: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
): readonly RecipeProblem[] {
  const parsed = options.safeParse(values);
  return parsed.success ? [] : listSchemaProblems(parsed.error, 'with', Object.keys(options.shape), values);
}

/** Options of a recipe, for people. A schema may be of another copy of zod, so its fields are asked, not compared. */
export function describeOptions(options: z.ZodObject): readonly RecipeOption[] {
  return Object.entries(options.shape).map(([name, field]) => {
    const { description = '', safeParse } = fieldSchema.safeParse(field).data ?? {};
    const usual: unknown = safeParse?.(undefined)?.data;
    return { name, description, ...(usual === undefined ? {} : { default: usual }) };
  });
}

const fieldSchema = z.looseObject({
  description: z.string().optional(),
  safeParse: z
    .custom<(value: unknown) => { readonly data?: unknown }>((value) => typeof value === 'function')
    .optional(),
});
