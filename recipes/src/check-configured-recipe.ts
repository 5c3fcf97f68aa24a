import { type Destinations, explainMissingDestination } from './destinations.ts';
import { suggestName } from './nearest-name.ts';
import { findPrebuiltRecipe, listPrebuiltRecipes } from './prebuilt/list-prebuilt-recipes.ts';
import type { BoundRecipe, ConfiguredRecipe, RecipeProblem } from './recipe.ts';
import { recipeWhenKeys, recipeWhenSchema } from './recipe-when.ts';
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

/** Settles every recipe, or throws one error that lists all that is wrong. */
export function bindRecipes(
  recipes: readonly ConfiguredRecipe[],
  destinations: Destinations,
): readonly BoundRecipe[] {
  const problems = recipes.flatMap((recipe) => checkConfiguredRecipe(recipe, destinations));
  if (problems.length > 0) {
    const lines = problems.map(
      ({ setting, found, expected }) => `${setting}: found ${found}; expected ${expected}`,
    );
    throw new Error(`the recipes cannot run:\n${lines.join('\n')}`);
  }
  return recipes.flatMap((recipe) => {
    const prebuilt = findPrebuiltRecipe(recipe.use);
    if (prebuilt === undefined) return [];
    const bound = prebuilt.bind(recipe.with, destinations);
    return [{ name: recipe.name, prebuilt, when: recipeWhenSchema.parse(recipe.when), ...bound }];
  });
}
