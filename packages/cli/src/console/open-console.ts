import type { Backend, Log } from '@aftermeet/queue';
import type { ConsoleData } from '@aftermeet/receiver';

import type { Defer } from '../hosting/resources.ts';
import { type Settings, WORKSPACE } from '../settings/settings.ts';

/** What the console of a receiver shows, opened at its first request: a receiver alone loads no recipes. */
export async function openConsole(
  settings: Settings,
  { backend, log }: { readonly backend: Backend; readonly log: Log },
  defer: Defer,
): Promise<ConsoleData> {
  const { createPlanner } = await import('@aftermeet/recipes');
  const { createClient } = await import('@aftermeet/client');
  const { recipeProblems } = await import('../settings/load.ts');
  const { openConsoleData } = await import('./console-data.ts');
  const { recipes, endpointRecipes, destinations, service } = settings;
  const canRun = recipeProblems(settings).length === 0;
  const plan = canRun
    ? createPlanner({ workspace: WORKSPACE, recipes, endpointRecipes, destinations })
    : undefined;
  const client = service === undefined ? undefined : createClient({ ...service, retries: 0 });
  const endpoints = [...settings.endpoints.byName.keys()];
  const parts = { backend, log, plan, recipes, destinations, endpoints, endpointRecipes, client };
  return await openConsoleData(parts, defer);
}
