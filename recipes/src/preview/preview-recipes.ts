import type { Report } from '@aftermeet/client';

import { bindRecipes } from '../bind-recipes.ts';
import type { DestinationName, Destinations } from '../destinations.ts';
import type { BoundRecipe, ConfiguredRecipe, MeetingEvent } from '../recipe.ts';
import type { EndpointRecipes } from '../routing/match-recipes.ts';
import { judgeRecipe, type Judgement } from './judge-recipe.ts';
import { previewEffects, type PreviewedEffects } from './preview-effects.ts';
import { writeDueEvent, writePreviewEvent } from './preview-event.ts';
import { previewSources } from './preview-sources.ts';

export interface PreviewRequest {
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
  readonly endpointRecipes?: EndpointRecipes;
  /** Where the event is delivered to; absent: of each recipe the first one that runs it. */
  readonly endpoint?: string;
  /** Every endpoint that is configured. */
  readonly endpoints: readonly string[];
  readonly meetingId: string;
  /** Absent: the meeting has none, as one that has failed. */
  readonly report?: Report;
  /** `meeting.completed` or `meeting.failed`. */
  readonly eventKind: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/**
 * What one recipe would do for a meeting. Its effects are what would be sent, in its order; none when it does not want
 * the meeting.
 */
export interface RecipePreview extends Judgement, PreviewedEffects {
  readonly name: string;
  readonly use: string;
  readonly destination: DestinationName;
}

/**
 * What each recipe would do for a meeting, without a ledger, a queue or a destination: planned, judged, spread and
 * rendered by the functions that the worker uses. Throws one error that lists what is wrong with the recipes.
 */
export async function previewRecipes(request: PreviewRequest): Promise<readonly RecipePreview[]> {
  const bound = bindRecipes(request.recipes, request.destinations);
  return await Promise.all(bound.map((recipe) => previewRecipe(recipe, request)));
}

async function previewRecipe(recipe: BoundRecipe, request: PreviewRequest): Promise<RecipePreview> {
  const { name, prebuilt, schedule } = recipe;
  const event =
    schedule === undefined ? writeEvent(recipe, request) : writeDueEvent(recipe, schedule, request);
  const sources = previewSources(request.report, recipe, request.nowMs);
  const judgement = judgeRecipe(recipe, event, sources.digest, request);
  return {
    name,
    use: prebuilt.id,
    destination: prebuilt.destination,
    ...judgement,
    ...(judgement.isWanted
      ? await previewEffects(recipe, event, sources.tools)
      : { effects: [], isCut: false }),
  };
}

function writeEvent(recipe: BoundRecipe, request: PreviewRequest): MeetingEvent {
  return writePreviewEvent(request, request.endpoint ?? findEndpoint(recipe, request));
}

/** An endpoint that runs the recipe, so that nobody is told of one that he did not ask about. */
function findEndpoint(
  { name, when }: BoundRecipe,
  { endpoints, endpointRecipes = {} }: PreviewRequest,
): string {
  const [first = 'default'] = endpoints;
  const wanted = when.endpoint === undefined ? endpoints : [when.endpoint].flat();
  const able = wanted.find(
    (endpoint) => !Object.hasOwn(endpointRecipes, endpoint) || endpointRecipes[endpoint]?.includes(name),
  );
  return able ?? wanted[0] ?? first;
}
