import { suggestName } from '@aftermeet/contract';

import { explainMissingDestination, findTargetOption } from '../destinations/index.ts';
import { judgeAddresses, listOwnPeople } from '../destinations/own-people.ts';
import type { Destinations } from '../destinations/settings.ts';
import { type EndpointRecipes, listConditions } from '../engine/conditions/match-recipes.ts';
import {
  listConditionPaths,
  recipeWhenKeys,
  recipeWhenSchema,
  reportConditionKeys,
} from '../engine/conditions/when.ts';
import type { BoundRecipe, ConfiguredRecipe, PrebuiltRecipe, RecipeProblem } from '../engine/recipe.ts';
import { listSchemaProblems } from '../engine/schema-problems.ts';
import { bindApprove, checkApprove } from './approve-settings.ts';
import { findDefinition, listPrebuiltRecipes } from './list-prebuilt-recipes.ts';

/**
 * Everything that is wrong with a recipe's settings, each with what was expected; nothing when it can
 * run. Given the destinations, it also says when the recipe's own one is not configured.
 */
export function checkConfiguredRecipe(
  recipe: ConfiguredRecipe,
  destinations?: Destinations,
): readonly RecipeProblem[] {
  const place = `recipes.${recipe.name}`;
  const prebuilt = findDefinition(recipe);
  const when = recipeWhenSchema.safeParse(recipe.when);
  const problems = when.success ? [] : [...listSchemaProblems(when.error, 'when', recipeWhenKeys)];
  if (prebuilt === undefined) {
    const ids = listPrebuiltRecipes().map(({ id }) => id);
    const found = `the unknown recipe ${JSON.stringify(recipe.use)}`;
    problems.push({ setting: 'use', found, expected: suggestName(recipe.use, ids) });
  } else {
    problems.push(...checkWhen(prebuilt, recipe, destinations), ...prebuilt.check(recipe.with));
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
  problems.push(...checkApprove(recipe.approve, destinations));
  return problems.map((problem) => ({ ...problem, setting: `${place}.${problem.setting}` }));
}

/** A recipe that names no channel or data source needs the variable that names one for all recipes. */
function findMissingTarget(
  prebuilt: PrebuiltRecipe,
  recipe: ConfiguredRecipe,
  destinations: Destinations,
): RecipeProblem | undefined {
  const known = findTargetOption(prebuilt.destination, destinations);
  if (known === undefined || !prebuilt.options.some(({ name }) => name === known.option)) return undefined;
  if (recipe.with[known.option] !== undefined || known.configured !== undefined) return undefined;
  return { setting: `with.${known.option}`, found: 'nothing', expected: known.expected };
}

/** A mail that is made from no report goes to whom the settings name. */
function hasNoTarget(
  { destination, reads }: PrebuiltRecipe,
  recipe: ConfiguredRecipe,
  { email }: Destinations,
): boolean {
  if (destination !== 'email' || reads === 'report') return false;
  return email?.to.length === 0 && recipe.with['to'] === undefined;
}

/** A condition that no meeting can meet, or that nothing can judge, is a mistake: the recipe would run for none. */
function checkWhen(
  { id, reads, transcript }: PrebuiltRecipe,
  { when }: ConfiguredRecipe,
  destinations: Destinations | undefined,
): readonly RecipeProblem[] {
  const paths = listConditionPaths(when);
  const refused: readonly string[] =
    reads === 'event' ? reportConditionKeys : reads === 'period' ? ['event', 'otherwise'] : [];
  const why =
    reads === 'event'
      ? `conditions on the event alone (event, endpoint, title, isTranscriptEmpty): ${id} reads no report`
      : `conditions on meetings (such as endpoint, title, tag): ${id} runs by the clock`;
  const problems = paths
    .filter(({ key }) => refused.includes(key))
    .map(({ path }) => ({
      setting: `when.${path}`,
      found: 'a condition that cannot be judged',
      expected: why,
    }));
  if (when['isTranscriptEmpty'] === true && transcript === 'present' && reads === 'report') {
    problems.push({
      setting: 'when.isTranscriptEmpty',
      found: 'a condition that never holds',
      expected: `false, or nothing: ${id} sends nothing of a meeting without a transcript; slack-alert and email-alert tell of it`,
    });
  }
  const external = paths.find(({ key }) => key === 'external');
  if (external !== undefined && destinations !== undefined && listOwnPeople(destinations) === undefined) {
    problems.push({
      setting: `when.${external.path}`,
      found: 'a condition that cannot be judged',
      expected: 'mail.internal_domains: the domains of your own people',
    });
  }
  return problems;
}

/**
 * Problems of `otherwise` that only all recipes together show: if another recipe about the same takes every meeting,
 * it never holds. Pure.
 */
export function checkOtherwise(
  recipes: readonly ConfiguredRecipe[],
  endpointRecipes: EndpointRecipes,
): readonly RecipeProblem[] {
  return recipes.flatMap((recipe) => {
    const found = listConditionPaths(recipe.when).find(({ key }) => key === 'otherwise');
    if (found === undefined || found.path !== 'otherwise') return [];
    const always = recipes.find(
      (other) =>
        isRival(recipe, other) &&
        Object.keys(other.when).length === 0 &&
        runsWhereverItRuns(other, recipe, endpointRecipes),
    );
    if (always === undefined) return [];
    return [
      {
        setting: `recipes.${recipe.name}.when.otherwise`,
        found: 'a condition that never holds',
        expected: `conditions (when) on ${always.name}, which takes every meeting`,
      },
    ];
  });
}

function runsWhereverItRuns(
  { name }: ConfiguredRecipe,
  recipe: ConfiguredRecipe,
  endpointRecipes: EndpointRecipes,
): boolean {
  return Object.values(endpointRecipes).every(
    (names) => !names.includes(recipe.name) || names.includes(name),
  );
}

/** Whether a recipe is about the same at the same destination, and does not itself wait for others. */
function isRival(recipe: ConfiguredRecipe, other: ConfiguredRecipe): boolean {
  const [own, others] = [findDefinition(recipe), findDefinition(other)];
  if (recipe.name === other.name || own === undefined || others === undefined) return false;
  const waits = listConditionPaths(other.when).some(({ key }) => key === 'otherwise');
  return (
    !waits &&
    own.destination === others.destination &&
    own.about === others.about &&
    others.reads !== 'period'
  );
}

/** Settles every recipe, or throws one error that lists all that is wrong. */
export function bindRecipes(
  recipes: readonly ConfiguredRecipe[],
  destinations: Destinations,
  endpointRecipes: EndpointRecipes = {},
): readonly BoundRecipe[] {
  const problems = recipes.flatMap((recipe) => checkConfiguredRecipe(recipe, destinations));
  if (problems.length > 0) {
    const lines = problems.map(
      ({ setting, found, expected }) => `${setting}: found ${found}; expected ${expected}`,
    );
    throw new Error(`the recipes cannot run:\n${lines.join('\n')}`);
  }
  const isExternalAddress = judgeAddresses(destinations);
  const bound = recipes.flatMap((recipe) => {
    const prebuilt = findDefinition(recipe);
    if (prebuilt === undefined) return [];
    const when = recipeWhenSchema.parse(recipe.when);
    const own: BoundRecipe = {
      name: recipe.name,
      prebuilt,
      when,
      conditions: listConditions(when, prebuilt),
      runsAt: (endpoint) =>
        !Object.hasOwn(endpointRecipes, endpoint) ||
        endpointRecipes[endpoint]?.includes(recipe.name) === true,
      rivals: [],
      isExternalAddress,
      approval: bindApprove(recipe.approve),
      ...prebuilt.bind(recipe.with, destinations),
    };
    return [{ recipe, own }];
  });
  return bound.map(({ recipe, own }) => ({
    ...own,
    rivals: bound.filter((other) => isRival(recipe, other.recipe)).map((other) => other.own),
  }));
}

/**
 * The recipes of an installation that has no recipes in its settings: each configured destination gets
 * its own one, and what goes wrong is told in Slack, or by mail where there is no Slack and an address is named for it (MAIL_TO).
 */
export function standardRecipes(destinations: Destinations): readonly ConfiguredRecipe[] {
  const { slack, notion, email } = destinations;
  return [
    ...(slack === undefined ? [] : ['slack-recap']),
    ...(notion === undefined ? [] : ['notion-page']),
    ...(email === undefined ? [] : ['email-follow-up']),
    ...(slack === undefined ? [] : ['slack-alert']),
    ...(slack === undefined && email !== undefined && email.to.length > 0 ? ['email-alert'] : []),
  ].map((id) => ({ name: id, use: id, when: {}, with: {} }));
}
