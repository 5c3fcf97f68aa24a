import { checkConfiguredRecipe } from './check-configured-recipe.ts';
import type { Destinations } from './destinations.ts';
import { findPrebuiltRecipe } from './prebuilt/list-prebuilt-recipes.ts';
import type { BoundRecipe, ConfiguredRecipe } from './recipe.ts';
import { recipeWhenSchema } from './routing/recipe-when.ts';

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
