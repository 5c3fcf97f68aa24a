import { suggestName } from '@aftermeet/contract';

import { listSchemaProblems } from '../prebuilt/define-prebuilt-recipe.ts';
import { findPrebuiltRecipe, listPrebuiltRecipes } from '../prebuilt/list-prebuilt-recipes.ts';
import { recipeWhenKeys, recipeWhenSchema, reportConditionKeys } from './conditions/recipe-when.ts';
import { type Destinations, explainMissingDestination, targetOptions } from './destinations.ts';
import type { BoundRecipe, ConfiguredRecipe, PrebuiltRecipe, RecipeProblem } from './recipe.ts';

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
  if (recipe.use === 'regenerate') {
    const expected = 'no recipe: run "aftermeet report generate", or use the Aftermeet node of n8n';
    problems.push({ setting: 'use', found: 'the removed recipe "regenerate"', expected });
  } else if (prebuilt === undefined) {
    const ids = listPrebuiltRecipes().map(({ id }) => id);
    const found = `the unknown recipe ${JSON.stringify(recipe.use)}`;
    problems.push({ setting: 'use', found, expected: suggestName(recipe.use, ids) });
  } else {
    problems.push(...checkReads(prebuilt, Object.keys(recipe.when)), ...prebuilt.check(recipe.with));
    const missing = destinations && explainMissingDestination(prebuilt.destination, destinations);
    if (missing !== undefined) problems.push({ setting: 'use', found: recipe.use, expected: missing });
    const names = problems.map(({ setting }) => setting);
    const target = destinations && findMissingTarget(prebuilt, recipe, destinations);
    // An option without a default is among the problems already.
    if (target !== undefined && !names.includes(target.setting)) problems.push(target);
    if (destinations !== undefined && hasNoTarget(prebuilt, recipe, destinations)) {
      const expected = 'whom to mail, or MAIL_TO: there is no report that says who took part';
      problems.push({ setting: 'with.to', found: 'nobody', expected });
    }
  }
  return problems.map((problem) => ({ ...problem, setting: `${place}.${problem.setting}` }));
}

/** A recipe that names no channel or data source needs the variable that names one for all recipes. */
function findMissingTarget(
  prebuilt: PrebuiltRecipe,
  recipe: ConfiguredRecipe,
  destinations: Destinations,
): RecipeProblem | undefined {
  const known = targetOptions.find(({ destination }) => destination === prebuilt.destination);
  if (known === undefined || !prebuilt.options.some(({ name }) => name === known.option)) return undefined;
  if (recipe.with[known.option] !== undefined || known.read(destinations) !== undefined) return undefined;
  return { setting: `with.${known.option}`, found: 'nothing', expected: known.expected };
}

/** A mail that is made from no report goes to whom the settings name. */
function hasNoTarget(
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

/**
 * The recipes of an installation that has no recipes in its settings: each configured destination gets
 * its own one, and what goes wrong is told in Slack, or by mail where there is no Slack and an address is named for it (MAIL_TO).
 */
export function standardRecipes(destinations: Destinations): readonly ConfiguredRecipe[] {
  const { slack, notion, mail } = destinations;
  return [
    ...(slack === undefined ? [] : ['slack-recap']),
    ...(notion === undefined ? [] : ['notion-page']),
    ...(mail === undefined ? [] : ['email-follow-up']),
    ...(slack === undefined ? [] : ['slack-alert']),
    ...(slack === undefined && mail !== undefined && mail.to.length > 0 ? ['email-alert'] : []),
  ].map((id) => ({ name: id, use: id, when: {}, with: {} }));
}
