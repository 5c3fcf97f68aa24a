import type { BoundRecipe, MeetingEvent } from '../recipe.ts';
import { listEventConditions } from './event-conditions.ts';

/** Which recipes an endpoint runs, by endpoint; one that is not named runs all of them. */
export type EndpointRecipes = Readonly<Record<string, readonly string[]>>;

/**
 * The recipes that want an event, in their order. A title that the event does not hold is left to the report, for recipes
 * that read one. Pure.
 */
export function matchRecipes<Recipe extends Pick<BoundRecipe, 'name' | 'prebuilt' | 'when'>>(
  event: MeetingEvent,
  recipes: readonly Recipe[],
  endpointRecipes: EndpointRecipes = {},
): readonly Recipe[] {
  const names = Object.hasOwn(endpointRecipes, event.endpoint) ? endpointRecipes[event.endpoint] : undefined;
  return recipes
    .filter((recipe) => names === undefined || names.includes(recipe.name))
    .filter((recipe) => listEventConditions(recipe).every((condition) => condition.holds(event) !== false));
}
