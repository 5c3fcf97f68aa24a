import { matchTitle } from './match-title.ts';
import type { BoundRecipe, MeetingEvent } from './recipe.ts';

/** Which recipes an endpoint runs, by endpoint; one that is not named runs all of them. */
export type EndpointRecipes = Readonly<Record<string, readonly string[]>>;

/** The recipes that want an event, in their order. Pure. */
export function matchRecipes<Recipe extends Pick<BoundRecipe, 'name' | 'prebuilt' | 'when'>>(
  event: MeetingEvent,
  recipes: readonly Recipe[],
  endpointRecipes: EndpointRecipes = {},
): readonly Recipe[] {
  const names = Object.hasOwn(endpointRecipes, event.endpoint) ? endpointRecipes[event.endpoint] : undefined;
  return recipes
    .filter((recipe) => names === undefined || names.includes(recipe.name))
    .filter((recipe) => wantsEvent(recipe, event));
}

function wantsEvent(recipe: Pick<BoundRecipe, 'prebuilt' | 'when'>, event: MeetingEvent): boolean {
  const { when, prebuilt } = recipe;
  return (
    listValues(when.event ?? prebuilt.events).includes(event.kind) &&
    (when.endpoint === undefined || listValues(when.endpoint).includes(event.endpoint)) &&
    (when.title === undefined ||
      listValues(when.title).some((pattern) => matchTitle(event.title ?? '', pattern))) &&
    wantsTranscript(recipe, event)
  );
}

/** Only a completed meeting has a transcript that can be empty; an event that does not say has one. */
function wantsTranscript(
  { when, prebuilt }: Pick<BoundRecipe, 'prebuilt' | 'when'>,
  event: MeetingEvent,
): boolean {
  const isEmpty = event.isTranscriptEmpty ?? false;
  if (when.isTranscriptEmpty !== undefined) return isEmpty === when.isTranscriptEmpty;
  return event.kind !== 'meeting.completed' || isEmpty === (prebuilt.transcript === 'empty');
}

function listValues(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}
