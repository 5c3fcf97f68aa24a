import {
  type BuiltInMessage,
  isBuiltInMessage,
  listPrebuiltRecipes,
  type MeetingEvent,
} from '@aftermeet/recipes';

import type { Destinations } from '../../../recipes/src/destinations/settings.ts';
import { writeAlert } from '../../../recipes/src/engine/alert-text.ts';
import type { Rendered } from '../../../recipes/src/engine/prepared-send.ts';
import {
  type Period,
  type PlannedEffect,
  type ReportInput,
  expandTarget,
} from '../../../recipes/src/engine/recipe.ts';
import type { Digest } from '../../../recipes/src/report/digest.ts';

/** A prebuilt recipe with the options that a test gives it. */
export interface RecipeCase {
  readonly use: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** One message of a recipe, as it is handed to its destination. */
export interface RecipeMessage {
  readonly effect: PlannedEffect;
  readonly rendered: BuiltInMessage;
}

/** Everything that a recipe makes of one report. What it skips is left out. */
export function renderReport(
  recipe: RecipeCase,
  digest: Digest,
  destinations: Destinations,
): readonly RecipeMessage[] {
  const bound = bind(recipe, destinations);
  const { input } = bound;
  if (input.from !== 'report') throw new Error(`${recipe.use} is not made from a report`);
  const event = describeEvent(digest);
  const planned = bound.plan(event);
  const effects = planned.flatMap((effect) => [effect, ...listFollowers(input, digest, effect)]);
  return effects
    .filter(({ target }) => target !== expandTarget)
    .flatMap((effect) => {
      const rendered = input.render(digest, effect);
      return 'skip' in rendered ? [] : [{ effect, rendered: requireBuiltIn(rendered) }];
    });
}

/** Everything that a recipe makes of an event alone. */
export function renderAlert(
  recipe: RecipeCase,
  event: MeetingEvent,
  destinations: Destinations,
  suppressed = 0,
): readonly RecipeMessage[] {
  const { plan, input } = bind(recipe, destinations);
  if (input.from !== 'event') throw new Error(`${recipe.use} is not made from an event`);
  const rendered = input.render(writeAlert(event), suppressed);
  return plan(event).map((effect) => ({ effect, rendered: requireBuiltIn(rendered) }));
}

/** Everything that a recipe makes of the meetings of a period. */
export function renderPeriod(
  recipe: RecipeCase,
  digests: readonly Digest[],
  period: Period,
  destinations: Destinations,
): readonly RecipeMessage[] {
  const { plan, input } = bind(recipe, destinations);
  if (input.from !== 'period') throw new Error(`${recipe.use} is not made from a period`);
  const meetings = [
    ...digests.map((digest) => ({ digest })),
    { leftOut: 'too_many' as const },
    { leftOut: 'not_ready' as const },
    { leftOut: 'deleted' as const },
    { leftOut: 'unreadable' as const },
  ];
  const rendered = input.render(meetings, period);
  const occurrence = new Date(period.toMs).toISOString();
  const event = {
    kind: 'schedule.due',
    meetingId: '',
    occurrence,
    since: new Date(period.fromMs).toISOString(),
    endpoint: 'default',
    receivedAt: occurrence,
  };
  return plan(event).map((effect) => ({ effect, rendered: requireBuiltIn(rendered) }));
}

function bind({ use, with: values = {} }: RecipeCase, destinations: Destinations) {
  const prebuilt = listPrebuiltRecipes().find(({ id }) => id === use);
  if (prebuilt === undefined) throw new Error(`there is no recipe ${use}`);
  const problems = prebuilt.check(values);
  if (problems.length > 0) throw new Error(`${use}: ${JSON.stringify(problems)}`);
  return prebuilt.bind(values, destinations);
}

function requireBuiltIn(rendered: Rendered): BuiltInMessage {
  if (!isBuiltInMessage(rendered)) throw new Error(`${rendered.destination} does not come with the toolkit`);
  return rendered;
}

/** As the engine asks for them: those of one effect, and once more of what these are. */
function listFollowers(
  subject: ReportInput,
  digest: Digest,
  effect: PlannedEffect,
  depth = 0,
): readonly PlannedEffect[] {
  if (depth > 2) throw new Error('the effects of a recipe never end');
  const next = subject.expand?.(digest, effect) ?? [];
  return next.flatMap((follower) => [follower, ...listFollowers(subject, digest, follower, depth + 1)]);
}

function describeEvent({ meetingId, title, isTranscriptEmpty }: Digest): MeetingEvent {
  const occurrence = '2026-07-07T12:05:00Z';
  const kind = 'meeting.completed';
  return {
    kind,
    meetingId,
    title,
    isTranscriptEmpty,
    occurrence,
    endpoint: 'default',
    receivedAt: occurrence,
  };
}
