import { suggestName } from '@aftermeet/contract';

import { type Destinations, explainMissingDestination } from './destinations.ts';
import { findPrebuiltRecipe, listPrebuiltRecipes } from './prebuilt/list-prebuilt-recipes.ts';
import type { ConfiguredRecipe, PrebuiltRecipe, RecipeProblem } from './recipe.ts';
import { recipeWhenKeys, recipeWhenSchema, reportConditionKeys } from './routing/recipe-when.ts';
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
    problems.push(...checkReads(prebuilt, Object.keys(recipe.when)), ...prebuilt.check(recipe.with));
    const missing = destinations && explainMissingDestination(prebuilt.destination, destinations);
    if (missing !== undefined) problems.push({ setting: 'use', found: recipe.use, expected: missing });
    if (destinations !== undefined && isForNobody(prebuilt, recipe, destinations)) {
      const expected = 'whom to mail, or MAIL_TO: there is no report that says who took part';
      problems.push({ setting: 'with.to', found: 'nobody', expected });
    }
  }
  return problems.map((problem) => ({ ...problem, setting: `${place}.${problem.setting}` }));
}

/** A mail that is made from no report goes to whom the settings name. */
function isForNobody(
  { destination, reads }: PrebuiltRecipe,
  recipe: ConfiguredRecipe,
  { mail }: Destinations,
): boolean {
  if (destination !== 'email' || reads === 'report') return false;
  return mail?.to.length === 0 && recipe.with['to'] === undefined;
}

/** A condition that nothing could ever judge is a mistake: the recipe would run for all meetings, or for none. */
function checkReads({ id, reads }: PrebuiltRecipe, keys: readonly string[]): readonly RecipeProblem[] {
  if (reads === 'report') return [];
  const known = keys.filter((key) => recipeWhenKeys.includes(key));
  const refused = reads === 'period' ? known : known.filter((key) => reportConditionKeys.includes(key));
  const expected =
    reads === 'period'
      ? `no conditions: ${id} runs by the clock and tells of every meeting`
      : `conditions on the event alone (event, endpoint, title, isTranscriptEmpty): ${id} reads no report`;
  return refused.map((key) => ({
    setting: `when.${key}`,
    found: 'a condition that cannot be judged',
    expected,
  }));
}
