import { readWebhookEvent, type WebhookEventData } from '@aftermeet/contract';
import type { EffectJob, EventJob } from '@aftermeet/queue';

import { deriveEffectKey } from './effect-key.ts';
import { type EndpointRecipes, matchRecipes } from './match-recipes.ts';
import type { BoundRecipe, MeetingEvent } from './recipe.ts';

export type EffectPlan =
  | { readonly ok: true; readonly event: MeetingEvent; readonly effects: readonly EffectJob[] }
  | { readonly ok: false; readonly cause: string };

export interface PlanningRules {
  readonly workspace: string;
  readonly recipes: readonly BoundRecipe[];
  readonly endpointRecipes: EndpointRecipes;
}

/**
 * What a stored delivery causes: one effect for each recipe that wants it, each of its targets and each part. Pure: the
 * same delivery always plans the same effects under the same keys. Of an unsigned one only kind and meeting count, and
 * only recipes that ask the service take it.
 */
export function planEffects(
  job: EventJob,
  { workspace, recipes, endpointRecipes }: PlanningRules,
): EffectPlan {
  const reading = readWebhookEvent(new TextEncoder().encode(job.body));
  if (!reading.ok) return { ok: false, cause: `the stored delivery is not an event: ${reading.detail}` };
  const { event: kind, meeting_id: meetingId, timestamp, data } = reading.event;
  // Whoever knows the address could invent a new time for each hint, and have one report sent as often.
  const occurrence = job.isUnsigned === true ? 'unsigned' : timestamp;
  const event: MeetingEvent = {
    kind,
    meetingId,
    occurrence,
    endpoint: job.endpoint,
    receivedAt: job.receivedAt,
    ...(job.isUnsigned === true ? {} : readClaims(data)),
  };
  // A hint may not speak for itself: only a recipe that reads the report asks the service whether it is true.
  const able = job.isUnsigned === true ? recipes.filter(({ subject }) => subject.from === 'report') : recipes;
  const effects = matchRecipes(event, able, endpointRecipes).flatMap((recipe) =>
    recipe.plan(event).map(({ target, part }) => ({
      effectKey: deriveEffectKey({
        workspace,
        recipe: recipe.name,
        eventKind: kind,
        meetingId,
        occurrence,
        target,
        part,
      }),
      recipe: recipe.name,
      target,
      part,
      event,
    })),
  );
  return { ok: true, event, effects };
}

/** What a delivery says of its meeting. Of an unsigned one nothing of it counts: the service is asked. */
function readClaims(data: WebhookEventData): Partial<MeetingEvent> {
  return {
    ...(data.title === undefined ? {} : { title: data.title }),
    ...(data.reason === undefined ? {} : { reason: data.reason }),
    ...(data.is_transcript_empty === undefined ? {} : { isTranscriptEmpty: data.is_transcript_empty }),
    ...(data.report_url === undefined ? {} : { reportUrl: data.report_url }),
  };
}
