import type { Report } from '@aftermeet/client';
import { nextCronRun, previousCronRun } from '@aftermeet/contract';
import type { EffectJob } from '@aftermeet/queue';

import type { Destinations } from '../destinations/settings.ts';
import { noAlertThrottle } from '../engine/alert-throttle.ts';
import { composeEffect, type ComposingTools } from '../engine/compose.ts';
import { both } from '../engine/conditions/condition.ts';
import {
  type EndpointRecipes,
  type JudgedCondition,
  judgeRecipe,
} from '../engine/conditions/match-recipes.ts';
import { identifyEffect, planRecipe } from '../engine/plan.ts';
import type { Rendered } from '../engine/prepared-send.ts';
import type {
  BoundRecipe,
  ConfiguredRecipe,
  MeetingEvent,
  PlannedEffect,
  RecipeSchedule,
  RefusedParticipants,
} from '../engine/recipe.ts';
import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import { buildDigest, type Digest } from '../report/digest.ts';
import { createPeopleDirectory, type PeopleDirectory } from '../report/people-directory.ts';

export interface PreviewRequest {
  /** All recipes of the installation: what one of them takes can depend on the others. */
  readonly recipes: readonly ConfiguredRecipe[];
  /** The names of those that are shown; absent: all. */
  readonly only?: readonly string[] | undefined;
  readonly destinations: Destinations;
  readonly endpointRecipes?: EndpointRecipes;
  /** Endpoint of the event; absent: the first one that runs each recipe. */
  readonly endpoint?: string | undefined;
  /** All configured endpoints. */
  readonly endpoints: readonly string[];
  readonly meetingId: string;
  /** Absent for a failed meeting. */
  readonly report?: Report | undefined;
  /** `meeting.completed` or `meeting.failed`. */
  readonly eventKind: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/**
 * What one recipe would do for a meeting. Effects in the order of sending; empty when the recipe does not take the meeting.
 */
export interface RecipePreview extends Evaluation, PreviewedEffects {
  readonly name: string;
  readonly use: string;
  readonly destination: string;
  /** It runs by the clock, not when the meeting ends. */
  readonly isScheduled: boolean;
}

/**
 * What each recipe would do for a meeting, without a ledger, a queue or a destination: planned, judged, spread and
 * rendered by the functions that the worker uses. Throws one error that lists what is wrong with the recipes.
 */
export async function previewRecipes(request: PreviewRequest): Promise<readonly RecipePreview[]> {
  const { recipes, destinations, endpointRecipes, only } = request;
  const bound = bindRecipes(recipes, destinations, endpointRecipes);
  const shown = bound.filter(({ name }) => only?.includes(name) !== false);
  const people = createPeopleDirectory(destinations.people);
  return await Promise.all(shown.map((recipe) => previewRecipe(recipe, request, people)));
}

async function previewRecipe(
  recipe: BoundRecipe,
  request: PreviewRequest,
  people: PeopleDirectory,
): Promise<RecipePreview> {
  const { name, prebuilt, schedule } = recipe;
  const about = writePreviewEvent(request, request.endpoint ?? findEndpoint(recipe, request));
  const event = schedule === undefined ? about : writeDueEvent(recipe, schedule, request);
  const sources = previewSources(request.report, recipe, request.nowMs, people);
  const evaluation = evaluateConditions(recipe, about, sources.digest);
  return {
    name,
    use: prebuilt.id,
    destination: prebuilt.destination,
    isScheduled: schedule !== undefined,
    ...evaluation,
    ...(evaluation.isWanted
      ? await previewEffects(recipe, event, sources.tools)
      : { effects: [], isCut: false }),
  };
}

/** An endpoint that runs the recipe, so that the endpoint does not count as a failed condition. */
function findEndpoint({ runsAt, when }: BoundRecipe, { endpoints }: PreviewRequest): string {
  const [first = 'default'] = endpoints;
  const wanted = when.endpoint?.wanted ?? endpoints;
  return wanted.find(runsAt) ?? wanted[0] ?? first;
}

/** One message, page, mail or request as it would be sent, or why it would not be. */
export interface PreviewedEffect extends PlannedEffect {
  readonly rendered?: Rendered;
  readonly skipped?: string;
}

/** Limit of a preview; a worker has none. */
const MAX_EFFECTS = 2000;

interface PreviewedEffects {
  readonly effects: readonly PreviewedEffect[];
  /** The list is cut. */
  readonly isCut: boolean;
  /** Participants who get nothing because their addresses cannot be used. */
  readonly refused?: RefusedParticipants;
}

/** The effects of a recipe for an event, each after the one that plans it. */
export async function previewEffects(
  recipe: BoundRecipe,
  event: MeetingEvent,
  tools: ComposingTools,
): Promise<PreviewedEffects> {
  let isCut = false;
  let refused: RefusedParticipants | undefined;
  const found: PreviewedEffect[] = [];
  const identify = (effect: PlannedEffect): EffectJob =>
    identifyEffect(recipe, event, effect, { workspace: tools.workspace, traceId: undefined });
  const visit = async (job: EffectJob): Promise<void> => {
    if (found.length >= MAX_EFFECTS) isCut = true;
    if (isCut) return;
    const composition = await composeEffect({ data: job }, recipe, tools);
    const { destination, target, part, item } = job;
    const effect: PlannedEffect = {
      ...(destination === recipe.prebuilt.destination ? {} : { destination }),
      target,
      part,
      ...(item === undefined ? {} : { item }),
    };
    const nexts = listNext(composition);
    if (composition.kind === 'composed') found.push({ ...effect, rendered: composition.rendered });
    else if (nexts.length === 0) found.push({ ...effect, skipped: readCause(composition) });
    if (composition.kind === 'expanded') refused = composition.refused;
    for (const next of nexts) await visit(identify(next));
  };
  const planned = planRecipe(recipe, event, { workspace: tools.workspace, traceId: undefined });
  for (const job of planned) await visit(job);
  return { effects: found, isCut, ...(refused === undefined ? {} : { refused }) };
}

type Composed = Awaited<ReturnType<typeof composeEffect>>;

function listNext(composition: Composed): readonly PlannedEffect[] {
  if (composition.kind === 'expanded') return composition.effects;
  return composition.kind === 'composed' ? (composition.followers ?? []) : [];
}

function readCause(composition: Composed): string {
  return 'cause' in composition ? composition.cause : 'nothing is sent';
}

interface Evaluation {
  /** The recipe takes this meeting. */
  readonly isWanted: boolean;
  readonly conditions: readonly JudgedCondition[];
}

/** Evaluates the conditions as the worker does, by the event and the report. */
function evaluateConditions(
  recipe: BoundRecipe,
  event: MeetingEvent,
  digest: Digest | undefined,
): Evaluation {
  const { schedule, input } = recipe;
  const judged = judgeRecipe(recipe, event, input.from === 'event' ? undefined : digest);
  const due = schedule && {
    condition: `it is due by the clock (${schedule.cron}, ${schedule.timeZone ?? 'UTC'})`,
    otherwise: '',
    holds: true,
    saw: 'shown for this meeting alone',
  };
  return {
    isWanted: both(judged.map(({ holds }) => holds)) === true,
    conditions: due === undefined ? judged : [due, ...judged],
  };
}

interface PreviewedMeeting {
  readonly meetingId: string;
  readonly report?: Report | undefined;
  readonly eventKind: string;
  readonly nowMs: number;
}

/** The event that the service would send about the meeting, as far as the report tells. */
export function writePreviewEvent(
  { meetingId, report, eventKind, nowMs }: PreviewedMeeting,
  endpoint: string,
): MeetingEvent {
  return {
    kind: eventKind,
    meetingId,
    occurrence: findEnd(report, nowMs),
    endpoint,
    receivedAt: new Date(nowMs).toISOString(),
    ...(report === undefined ? {} : { title: report.title }),
    ...(eventKind === 'meeting.completed' && report !== undefined
      ? { isTranscriptEmpty: report.isTranscriptEmpty }
      : {}),
    ...(eventKind === 'meeting.failed' ? { reason: '(reason given by the service)' } : {}),
  };
}

/** The event of a test: what the recipe takes first, or its schedule. */
export function writeTestEvent(recipe: BoundRecipe, report: Report, nowMs: number): MeetingEvent {
  const { schedule, prebuilt } = recipe;
  const [eventKind = 'meeting.completed'] = prebuilt.events;
  const meeting = { meetingId: report.meetingId, report, eventKind, nowMs };
  if (schedule !== undefined) return writeDueEvent(recipe, schedule, meeting);
  const event = writePreviewEvent(meeting, 'default');
  return eventKind === 'meeting.failed'
    ? { ...event, reason: 'This is a test: no meeting has failed.' }
    : event;
}

/** The event of the schedule occurrence that would cover the meeting. */
function writeDueEvent(
  { name }: Pick<BoundRecipe, 'name'>,
  { cron, timeZone = 'UTC' }: RecipeSchedule,
  { report, nowMs }: PreviewedMeeting,
): MeetingEvent {
  const endMs = Date.parse(findEnd(report, nowMs));
  const dueMs = nextCronRun(cron, endMs, timeZone) ?? endMs;
  const due = new Date(dueMs);
  const before = new Date(previousCronRun(cron, dueMs - 1, timeZone) ?? dueMs);
  return {
    kind: 'schedule.due',
    meetingId: '',
    occurrence: due.toISOString(),
    endpoint: 'default',
    receivedAt: due.toISOString(),
    recipe: name,
    since: before.toISOString(),
  };
}

function findEnd(report: Report | undefined, nowMs: number): string {
  const endMs = Date.parse(report?.endedAt ?? report?.startedAt ?? '');
  return new Date(Number.isNaN(endMs) ? nowMs : endMs).toISOString();
}

/** Workspace of previews; nothing is stored for it. */
const WORKSPACE = 'preview';

/** Sources for composing effects from one report: no service, no store, no alert throttle. */
export function previewSources(
  report: Report | undefined,
  { input }: Pick<BoundRecipe, 'input'>,
  nowMs: number,
  people?: PeopleDirectory,
): { readonly digest?: Digest; readonly tools: ComposingTools } {
  const withTranscript = (input.from === 'report' || input.from === 'run') && input.needsTranscript === true;
  const digest = report && buildDigest(report, { withTranscript, people });
  const tools: ComposingTools = {
    workspace: WORKSPACE,
    digests: {
      read: async () => (digest === undefined ? { ready: false, status: 'failed' } : { ready: true, digest }),
    },
    periods: { read: async () => (digest === undefined ? [{ leftOut: 'not_ready' }] : [{ digest }]) },
    alertThrottle: noAlertThrottle,
    alertOfEmptiness: async () => {},
    keyWatch: {
      waitMs: () => 0,
      refused: async () => ({ isFirst: false, episode: '', waitMs: 0 }),
      accepted: async () => {},
    },
    gate: { enter: () => ({ kind: 'go', leave: () => {} }) },
    onKeyRefused: async () => {},
    clock: () => nowMs,
  };
  return { tools, ...(digest === undefined ? {} : { digest }) };
}
