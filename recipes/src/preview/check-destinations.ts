import { listConfigured } from '../destinations/index.ts';
import type { Destinations } from '../destinations/settings.ts';
import type { CheckResult } from '../engine/check-result.ts';
import type { RecipeNeed } from '../engine/destination.ts';
import type { ConfiguredRecipe } from '../engine/recipe.ts';
import { findDefinition } from '../prebuilt/list-prebuilt-recipes.ts';

/**
 * Checks every configured destination with what the recipes need of it. Sends and writes nothing. Each promise settles on its
 * own and never rejects; `timeoutMs` limits each call.
 */
export function checkDestinations(
  destinations: Destinations,
  recipes: readonly ConfiguredRecipe[],
  timeoutMs: number,
): readonly Promise<readonly CheckResult[]>[] {
  return listConfigured(destinations).flatMap(
    ({ destination, settings }) =>
      destination.check?.(settings, listNeeds(destination.name, recipes), timeoutMs) ?? [],
  );
}

/** What the recipes need of a destination; recipes that cannot run are left out. Pure. */
export function listNeeds(destination: string, recipes: readonly ConfiguredRecipe[]): readonly RecipeNeed[] {
  return recipes.flatMap((recipe) => {
    const definition = findDefinition(recipe);
    if (definition?.destination !== destination) return [];
    const need = definition.findNeed?.(recipe.with);
    return need === undefined ? [] : [{ recipe: recipe.name, need }];
  });
}
