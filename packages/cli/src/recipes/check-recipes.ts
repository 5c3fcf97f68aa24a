import { type ExplainedRecipe, explainRecipes } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { recipeProblems } from '../settings/require-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { wrongSettings } from '../wrong-use.ts';

/** What `aftermeet recipes check` does. */
export async function checkRecipes(
  context: Context,
  options: { readonly json?: boolean; readonly config?: string },
  finish: (code: number) => void,
): Promise<void> {
  const settings = await loadSettings(context.environment, options.config);
  if (settings.recipes.length === 0) throw wrongSettings(recipeProblems(settings));
  const explained = explainSettings(settings);
  if (explained.some(({ problems }) => problems.length > 0)) finish(EXIT_FAILED);
  if (options.json === true) {
    context.write(formatJson(explained));
    return;
  }
  const paint = createPaint(context.isTerminal);
  context.write(explained.map((recipe) => `${formatRecipe(recipe, paint)}\n`).join('\n'));
}

function explainSettings(settings: Settings): readonly ExplainedRecipe[] {
  const { recipes, destinations, endpoints, endpointRecipes } = settings;
  return explainRecipes({ recipes, destinations, endpointRecipes, endpoints: [...endpoints.byName.keys()] });
}

function formatRecipe(recipe: ExplainedRecipe, paint: Paint): string {
  const { name, use, description, runs, targets, endpoints, options, problems, warnings, destination } =
    recipe;
  const place = targets.length === 0 ? 'where the report says' : targets.map(cleanLine).join(', ');
  const facts = [
    `${paint.strong(cleanLine(name))} uses ${use}`,
    `  ${description}`,
    ...runs.map((line, index) => `  ${index === 0 ? 'Runs when' : '      and'} ${cleanLine(line)}`),
    `  Endpoints: ${endpoints.length === 0 ? 'none' : endpoints.map(cleanLine).join(', ')}`,
    ...(destination === undefined || problems.length > 0 ? [] : [`  Goes to: ${destination}, ${place}`]),
    ...options.map(
      (option) =>
        `  ${option.name}: ${describeOption(option)}${paint.dim(`  ${cleanLine(option.description)}`)}`,
    ),
    ...problems.map(({ setting, found, expected }) =>
      paint.bad(`  can't run: ${cleanLine(`${setting}: found ${found}; expected ${expected}`)}`),
    ),
    ...warnings.map((warning) => paint.bad(`  look: ${cleanLine(warning)}`)),
  ];
  return facts.join('\n');
}

function describeOption({ value, default: usual }: ExplainedRecipe['options'][number]): string {
  if (value !== undefined) return cleanLine(JSON.stringify(value));
  return usual === undefined ? 'not set' : `${cleanLine(JSON.stringify(usual))} (default)`;
}
