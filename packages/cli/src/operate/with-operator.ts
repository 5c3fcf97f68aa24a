import { openBackend, silentLog } from '@aftermeet/queue';
import { createPlanner, openOperatorTools, type OperatorTools, type PlanDelivery } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { SettingProblem } from '../settings/problem.ts';
import { recipeProblems } from '../settings/require-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { WORKSPACE } from '../settings/workspace.ts';
import { useParts } from '../use-parts.ts';
import { wrongSettings } from '../wrong-use.ts';

/** What every command of this kind can be told. */
export interface OperatorOptions {
  readonly json?: boolean;
  readonly config?: string;
}

export interface Operator extends OperatorTools {
  readonly settings: Settings;
  /** What the recipes of these settings make of a delivery; absent: they cannot run here. */
  readonly plan?: PlanDelivery;
}

/** Runs `use` with the queue of the settings open, and closes it. */
export async function withOperator<Result>(
  context: Context,
  { config }: OperatorOptions,
  use: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const settings = await loadSettings(context.environment, config);
  const plan = recipeProblems(settings).length > 0 ? undefined : planWith(settings);
  return await useParts(context.writeError, async (keep) => {
    // The commands say themselves what goes wrong.
    const backend = keep(await openBackend(settings.queueUrl, { log: silentLog }));
    const { clock = Date.now } = context;
    const tools = keep(await openOperatorTools(backend, { log: silentLog, clock }));
    return await use({ ...tools, settings, ...(plan === undefined ? {} : { plan }) });
  });
}

/** The plan; throws `WrongUse` with what keeps the recipes from running. */
export function requirePlan({ plan, settings }: Operator): PlanDelivery {
  if (plan !== undefined) return plan;
  const problems: readonly SettingProblem[] = recipeProblems(settings);
  throw wrongSettings(problems, '\nA replay needs the recipes and destinations that the worker has.\n');
}

function planWith({ recipes, endpointRecipes, destinations }: Settings): PlanDelivery {
  return createPlanner({ workspace: WORKSPACE, recipes, endpointRecipes, destinations });
}
