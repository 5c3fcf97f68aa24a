import { suggestName } from '@aftermeet/contract';

import { type Destinations, explainMissingDestination } from './destinations.ts';
import { findPrebuiltRecipe, listPrebuiltRecipes } from './prebuilt/list-prebuilt-recipes.ts';
import { recipeWhenKeys, recipeWhenSchema } from './recipe-when.ts';
import type { ConfiguredRecipe, RecipeProblem } from './recipe.ts';
import { listSchemaProblems } from './schema-problems.ts';

/**
 * Everything that is wrong with a recipe's settings, each with what was expected; nothing when it can
 * run. Given the destinations, it also says when the recipe's own one is not configured.
 */
export function checkConfiguredRecipe(
  recipe: ConfiguredRecipe,
  destinations?: Destinations,
): readonly RecipeProblem[] {
  const place = `recipes.${recipe.name}`;
  const prebuilt = findPrebuiltRecipe(recipe.use);
  const when = recipeWhenSchema.safeParse(recipe.when);
  const problems = when.success ? [] : [...listSchemaProblems(when.error, 'when', recipeWhenKeys)];
  if (prebuilt === undefined) {
    const ids = listPrebuiltRecipes().map(({ id }) => id);
    const found = `the unknown recipe ${JSON.stringify(recipe.use)}`;
    problems.push({ setting: 'use', found, expected: suggestName(recipe.use, ids) });
  } else {
    problems.push(...prebuilt.check(recipe.with));
    const missing = destinations && explainMissingDestination(prebuilt.destination, destinations);
    if (missing !== undefined) problems.push({ setting: 'use', found: recipe.use, expected: missing });
  }
  return problems.map((problem) => ({ ...problem, setting: `${place}.${problem.setting}` }));
}
