import { type CheckResult, explainRecipes } from '@aftermeet/recipes';

import type { SettingProblem } from '../settings/problem.ts';
import { receiverProblems, recipeProblems } from '../settings/require-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** Where the settings come from, what receiver and worker still lack, and what is odd about the recipes. */
export function checkSettings(settings: Settings): readonly CheckResult[] {
  const { file, recipes, destinations, endpoints, endpointRecipes } = settings;
  const explained = explainRecipes({
    recipes,
    destinations,
    endpointRecipes,
    endpoints: [...endpoints.byName.keys()],
  });
  return [
    { name: 'settings', result: 'ok', found: file ?? 'the environment alone' },
    // A machine may have a worker alone.
    ...receiverProblems(settings).map((problem) => tellProblem('receiver', 'warning', problem)),
    ...recipeProblems(settings).map((problem) => tellProblem('recipes', 'failed', problem)),
    ...explained.flatMap(({ name, warnings }) =>
      warnings.map((found): CheckResult => ({ name: `recipe ${name}`, result: 'warning', found })),
    ),
  ];
}

/** A setting that can't be used or is missing, as a check. */
export function tellProblem(
  name: string,
  result: CheckResult['result'],
  { setting, found, expected }: SettingProblem,
): CheckResult {
  return { name, result, found: `${setting}: found ${found}`, advice: `Expected ${expected}.` };
}
