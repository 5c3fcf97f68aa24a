import { createHash } from 'node:crypto';

import { readWebhookEvent, type WebhookEventData } from '@aftermeet/contract';
import {
  type EffectJob,
  type EventJob,
  type JobOutcome,
  type Log,
  type TakenJob,
  withSpan,
  withTraceparent,
} from '@aftermeet/queue';
import { SpanStatusCode } from '@opentelemetry/api';

import { explainTaking, matchRecipes } from './conditions/match-recipes.ts';
import { deriveEffectKey } from './effect-key.ts';
import { type Journal, MAX_NOTED_EFFECTS, MAX_NOTED_TEXT, type QueuedEffect } from './journal/journal.ts';
import { findEndpoints, type MeetingIndex, type SeenMeeting } from './meetings/meeting-index.ts';
import { queueEffects, type QueueingTools } from './queue-effects.ts';
import type { BoundRecipe, MeetingEvent, PlannedEffect } from './recipe.ts';

export interface FanOutTools extends QueueingTools {
  readonly rules: PlanningRules;
  readonly meetings: Pick<MeetingIndex, 'note' | 'find' | 'findOrders'>;
  readonly journal: Pick<Journal, 'note'>;
  readonly log: Log;
}

/** Makes of a stored delivery one job for each of its effects. Again is harmless: their ids are their keys. */
export async function fanOut(job: TakenJob<'event'>, tools: FanOutTools): Promise<JobOutcome<'event'>> {
  const attributes = { 'aftermeet.endpoint': job.data.endpoint };
  return await withTraceparent(job.data.traceparent, () =>
    withSpan('plan', attributes, async (span) => {
      const outcome = await planDelivery(job, tools);
      if (outcome.kind === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
      return outcome;
    }),
  );
}

async function planDelivery(job: TakenJob<'event'>, tools: FanOutTools): Promise<JobOutcome<'event'>> {
  const { rules, meetings, log, clock } = tools;
  const plan = planEffects(job.data, rules, job.id);
  if (!plan.ok) return { kind: 'failed', cause: plan.cause };
  const { event, effects } = plan;
  const { meetingId, kind } = event;
  const note = (nothing?: string): void => noteDelivery(job, { event, effects, nothing }, tools);
  if (plan.isTest) {
    const cause = 'a test delivery: nothing is sent';
    log.info({ meetingId, kind }, cause);
    note(cause);
    return { kind: 'done' };
  }
  if (plan.isTooOld) {
    const cause = 'this event is older than what is remembered: nothing is sent for it';
    log.warn({ meetingId, kind }, cause);
    note(cause);
    return { kind: 'done' };
  }
  // An unsigned delivery proves nothing: its meeting is known from now on, and nothing is known to have completed.
  const { endpoint, isUnsigned = false } = job.data;
  if (isUnsigned) {
    const own = (await findEndpoints([meetingId], meetings)).get(meetingId) ?? endpoint;
    if (own !== endpoint) {
      const cause = 'an unsigned delivery about a meeting of another endpoint: nothing is sent';
      log.warn({ meetingId, endpoint, own }, cause);
      note(cause);
      return { kind: 'done' };
    }
  }
  const noted = isUnsigned
    ? { kind: 'unsigned', occurrence: job.data.receivedAt, isUnsigned }
    : { kind, occurrence: event.occurrence };
  const known = await meetings.note({ meetingId, endpoint, ...noted, nowMs: clock() });
  if (isOvertaken(event, known)) {
    const cause = 'this failure is older than a completion that came before it: nothing is sent';
    log.info({ meetingId, kind }, cause);
    note(cause);
    return { kind: 'done' };
  }
  log.debug({ meetingId, kind, effects: effects.length }, 'planned');
  note();
  if (effects.length > 0) await queueEffects(effects, tools, { mayBeQueued: job.startedTimes > 1 });
  return { kind: 'done' };
}

interface Planned {
  readonly event: MeetingEvent;
  readonly effects: readonly EffectJob[];
  /** Why none of them is queued. */
  readonly nothing: string | undefined;
}

function noteDelivery(
  { id, data }: TakenJob<'event'>,
  { event, effects, nothing }: Planned,
  { rules, journal, clock }: FanOutTools,
): void {
  const { meetingId, kind, title, endpoint } = event;
  const { isUnsigned = false } = data;
  const recipes = isUnsigned ? rules.recipes.filter(readsReport) : rules.recipes;
  const unable = rules.recipes.filter((recipe) => !recipes.includes(recipe));
  const note = {
    kind: 'delivered',
    atMs: clock(),
    delivery: id,
    event: kind,
    endpoint,
    title: title?.slice(0, MAX_NOTED_TEXT),
    recipes: [
      ...(nothing === undefined ? explainTaking(event, recipes) : []),
      ...unable.map(({ name }) => ({ name, takes: false, cause: 'the delivery is not signed' })),
    ],
    effects: nothing === undefined ? effects.slice(0, MAX_NOTED_EFFECTS).map(nameQueued) : [],
    ...(isUnsigned ? { isUnsigned } : {}),
    ...(nothing === undefined ? {} : { nothing }),
  } as const;
  journal.note({ meetingId, note });
}

/** An effect as the journal names it. */
export function nameQueued({ effectKey, recipe, destination, part }: EffectJob): QueuedEffect {
  return { effectKey, recipe, destination, part };
}

/** Deliveries can overtake each other: a failure of a meeting that has completed since is not reported. */
export function isOvertaken({ kind, occurrence }: MeetingEvent, known: SeenMeeting | undefined): boolean {
  if (kind !== 'meeting.failed' || known?.completedAt === undefined) return false;
  return Date.parse(known.completedAt) > Date.parse(occurrence);
}

export type EffectPlan =
  | {
      readonly ok: true;
      readonly event: MeetingEvent;
      readonly effects: readonly EffectJob[];
      /** It came so long after its own time that the ledger may have forgotten its effects: it has none. */
      readonly isTooOld: boolean;
      /** Its meeting does not exist: no effects. */
      readonly isTest: boolean;
    }
  | { readonly ok: false; readonly cause: string };

interface PlanningContext {
  readonly workspace: string;
  readonly traceId: string | undefined;
  /** Stands for the meeting in the keys where an event is not about one meeting. */
  readonly about?: string | undefined;
}

interface PlanningRules {
  readonly workspace: string;
  readonly recipes: readonly BoundRecipe[];
  /** How long before its delivery an event may have happened. Default: 60 days; `Infinity`: as long as it likes. */
  readonly maxAgeMs?: number;
}

/** The ledger remembers for 90 days; what is tried for days must still be remembered when it is over. */
export const DEFAULT_MAX_AGE_MS = 60 * 24 * 60 * 60 * 1000;

/**
 * What a stored delivery causes: one effect for each recipe that wants it, each of its targets and each part. Pure: the
 * same delivery always plans the same effects under the same keys. Of an unsigned one only kind and meeting count, and
 * only recipes that ask the service take it. `id` is that of the delivery's job.
 */
export function planEffects(
  job: EventJob,
  { workspace, recipes, maxAgeMs = DEFAULT_MAX_AGE_MS }: PlanningRules,
  id: string,
): EffectPlan {
  const reading = readWebhookEvent(new TextEncoder().encode(job.body));
  if (!reading.ok) return { ok: false, cause: `the stored delivery is not an event: ${reading.detail}` };
  const { event: kind, meeting_id: meetingId, timestamp, data } = reading.event;
  // A sender that knows the address could invent a new time for each unsigned delivery, and have one report sent as often.
  const occurrence = job.isUnsigned === true ? 'unsigned' : timestamp;
  const event: MeetingEvent = {
    kind,
    meetingId,
    occurrence,
    endpoint: job.endpoint,
    receivedAt: job.receivedAt,
    ...(job.isUnsigned === true ? {} : readClaims(data)),
  };
  const isTest = data.aftermeet_test === true;
  const isTooOld = Date.parse(job.receivedAt) - Date.parse(occurrence) > maxAgeMs;
  if (isTest || isTooOld) return { ok: true, event, effects: [], isTooOld, isTest };
  // An unsigned delivery proves nothing; only recipes that read the report take it.
  const able = job.isUnsigned === true ? recipes.filter(readsReport) : recipes;
  const traceId = deriveTraceId(id);
  const effects = matchRecipes(event, able).flatMap((recipe) =>
    planRecipe(recipe, event, { workspace, traceId }),
  );
  return { ok: true, event, effects, isTooOld, isTest };
}

function readsReport({ input }: BoundRecipe): boolean {
  return input.from === 'report' || input.from === 'run';
}

/** The effects of one recipe for one event. */
export function planRecipe(
  recipe: BoundRecipe,
  event: MeetingEvent,
  { workspace, traceId, about }: PlanningContext,
): readonly EffectJob[] {
  return recipe
    .plan(event)
    .map((effect) => identifyEffect(recipe, event, effect, { workspace, traceId, about }));
}

/** One effect of a recipe as a job under its key. */
export function identifyEffect(
  recipe: Pick<BoundRecipe, 'name' | 'prebuilt'>,
  event: MeetingEvent,
  { destination = recipe.prebuilt.destination, target, part, item }: PlannedEffect,
  { workspace, traceId, about }: PlanningContext,
): EffectJob {
  const identity = { target, part, ...(item === undefined ? {} : { item }) };
  return {
    effectKey: deriveEffectKey({
      workspace,
      recipe: recipe.name,
      eventKind: event.kind,
      meetingId: about ?? event.meetingId,
      occurrence: event.occurrence,
      ...identity,
    }),
    destination,
    recipe: recipe.name,
    ...identity,
    event,
    ...(traceId === undefined ? {} : { traceId }),
  };
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

/**
 * The trace id of everything that a delivery causes: 32 lowercase hex digits (W3C Trace Context, trace-id), made from
 * the id of its job, so that nothing has to be carried along or kept.
 */
export function deriveTraceId(jobId: string): string {
  return createHash('sha256').update(`trace ${jobId}`, 'utf8').digest('hex').slice(0, 32);
}
