import type { EffectJob, Log } from '@aftermeet/queue';

import { matchRecipes } from './conditions/match-recipes.ts';
import { deriveTraceId, planRecipe } from './plan.ts';
import { queueEffects, type QueueingTools } from './queue-effects.ts';
import type { BoundRecipe, MeetingEvent } from './recipe.ts';

export interface AlertTools extends QueueingTools {
  /** Keys of the alerts that this worker has raised last: queued again they would only use up slots. */
  readonly raised: Set<string>;
  readonly workspace: string;
  readonly recipes: readonly BoundRecipe[];
  readonly log: Log;
}

/**
 * At most one alert of failures, and one of what waits for approval, per recipe and hour. What fails of one meeting in several
 * recipes is one alert by the throttle (`alert-throttle.ts`).
 */
const cooldownMs = 60 * 60 * 1000;
const mostRaised = 1000;

/**
 * Tells the alert recipes that an effect has failed, or waits for approval. A second alert of the same hour has the same key,
 * so it is never sent, whichever worker raises it; the ledger shows all of them. An alert that fails raises none.
 */
export async function alertOfEffect(
  kind: 'effect.failed' | 'effect.held',
  { recipe, event: about }: EffectJob,
  cause: string,
  tools: AlertTools,
): Promise<void> {
  const isAlert = tools.recipes.some(({ name, input }) => name === recipe && input.from === 'event');
  if (isAlert) return;
  const hourMs = Math.floor(tools.clock() / cooldownMs) * cooldownMs;
  const event: MeetingEvent = {
    kind,
    meetingId: about.meetingId,
    occurrence: new Date(hourMs).toISOString(),
    endpoint: about.endpoint,
    receivedAt: new Date(tools.clock()).toISOString(),
    recipe,
    reason: cause,
    ...(about.title === undefined ? {} : { title: about.title }),
  };
  await raise(event, `recipe ${recipe}`, tools);
}

/** Tells the log and the alert recipes that the service refuses the API key. One alert for each episode. */
export async function alertOfRefusedKey(episode: string, tools: AlertTools): Promise<void> {
  tools.log.error(
    { episode },
    'the service refused the API key (401): nothing is lost, reports are fetched again as soon as the key is ' +
      'right. Take the current key from the workspace settings, set SERVICE_API_KEY and restart the worker.',
  );
  const event: MeetingEvent = {
    kind: 'service.key_refused',
    meetingId: '',
    occurrence: episode,
    endpoint: 'default',
    receivedAt: new Date(tools.clock()).toISOString(),
  };
  await raise(event, 'the API key', tools);
}

interface Pause {
  readonly destination: string;
  readonly cause: string;
  readonly episode: string;
}

/**
 * Tells the log and the alert recipes that a destination refuses our token or login. One alert for each episode, and none
 * through that destination.
 */
export async function alertOfPause({ destination, cause, episode }: Pause, tools: AlertTools): Promise<void> {
  tools.log.error(
    { destination, cause, episode },
    'the destination refuses our token or login: nothing is lost, its effects are sent as soon as it takes them again',
  );
  const event: MeetingEvent = {
    kind: 'destination.paused',
    meetingId: '',
    occurrence: episode,
    endpoint: 'default',
    receivedAt: new Date(tools.clock()).toISOString(),
    recipe: destination,
    reason: cause,
  };
  const recipes = tools.recipes.filter(({ prebuilt }) => prebuilt.destination !== destination);
  await raise(event, `destination ${destination}`, { ...tools, recipes });
}

/**
 * Tells the alert recipes of a meeting whose report has no transcript although its event did not say so. It is the alert
 * that the event would have caused, so it comes once, whichever worker finds out.
 */
export async function alertOfEmptiness(event: MeetingEvent, tools: AlertTools): Promise<void> {
  if (event.isTranscriptEmpty === true) return;
  await raise({ ...event, isTranscriptEmpty: true }, undefined, tools);
}

/** An alert that cannot be queued must not stop what it is about. */
async function raise(event: MeetingEvent, about: string | undefined, tools: AlertTools): Promise<void> {
  const { workspace, recipes, log } = tools;
  const able = recipes.filter(({ input }) => input.from === 'event');
  const traceId = deriveTraceId(`${event.kind} ${about ?? event.meetingId} ${event.occurrence}`);
  const plan = (alert: MeetingEvent, chosen: readonly BoundRecipe[]) =>
    chosen.flatMap((recipe) => planRecipe(recipe, alert, { workspace, traceId, about }));
  const own = matchRecipes(event, able);
  const effects = own.length > 0 ? plan(event, own) : plan(...redirect(event, able));
  const fresh = effects.filter(({ effectKey }) => !tools.raised.has(effectKey));
  if (fresh.length === 0) return;
  try {
    await queueEffects(fresh, tools);
    for (const { effectKey } of fresh) tools.raised.add(effectKey);
    for (const oldest of tools.raised) if (tools.raised.size > mostRaised) tools.raised.delete(oldest);
  } catch (error) {
    log.error({ error: error instanceof Error ? error.message : 'unknown' }, 'an alert could not be queued');
  }
}

/**
 * The alert for all alert recipes, because its endpoint has none of its own. Their readers may not be those of the endpoint, so
 * it does not say what the meeting is called.
 */
function redirect(
  { title: _title, ...untitled }: MeetingEvent,
  able: readonly BoundRecipe[],
): [MeetingEvent, readonly BoundRecipe[]] {
  const everywhere = able.map((recipe) => ({ ...recipe, runsAt: () => true }));
  return [untitled, matchRecipes(untitled, everywhere)];
}
