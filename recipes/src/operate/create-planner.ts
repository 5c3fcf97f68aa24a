import type { EventJob } from '@aftermeet/queue';

import { bindRecipes } from '../bind-recipes.ts';
import type { Destinations } from '../destinations.ts';
import { type EffectPlan, planEffects } from '../plan-effects.ts';
import type { ConfiguredRecipe } from '../recipe.ts';
import type { EndpointRecipes } from '../routing/match-recipes.ts';

/** What the recipes of now make of a stored delivery; `id` is that of its job. */
export type PlanDelivery = (job: EventJob, id: string) => EffectPlan;

export interface PlannerOptions {
  readonly workspace: string;
  readonly recipes: readonly ConfiguredRecipe[];
  readonly endpointRecipes: EndpointRecipes;
  readonly destinations: Destinations;
  /** How long before its delivery an event may have happened; default as in the worker. */
  readonly maxAgeMs?: number;
}

/** The worker's own plan, for operators. Throws one error that lists what is wrong with the recipes. */
export function createPlanner({ recipes, destinations, ...rules }: PlannerOptions): PlanDelivery {
  const bound = bindRecipes(recipes, destinations);
  return (job, id) => planEffects(job, { ...rules, recipes: bound }, id);
}
