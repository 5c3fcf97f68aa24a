import { z } from 'zod';

import { recipeWhenSchema } from '../engine/conditions/when.ts';
import { approveSchema } from './approve-settings.ts';
import { listPrebuiltRecipes } from './list-prebuilt-recipes.ts';

/** A JSON Schema, draft 7. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What stands under a recipe in the settings, as JSON Schema: for editors. */
export function listRecipeSchemas(): {
  readonly recipes: readonly {
    readonly id: string;
    readonly description: string;
    readonly options: JsonSchema;
  }[];
  readonly when: JsonSchema;
  readonly approve: JsonSchema;
} {
  return {
    recipes: listPrebuiltRecipes().map(({ id, description, optionsSchema }) => ({
      id,
      description,
      options: toJsonSchema(optionsSchema),
    })),
    when: toJsonSchema(recipeWhenSchema),
    approve: toJsonSchema(approveSchema),
  };
}

/** What stands in a settings file for this schema, without the draft's name. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _draft, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return described;
}
