import type { ReportReader } from '@aftermeet/client';
import { previousCronRun } from '@aftermeet/contract';
import type { EffectJob } from '@aftermeet/queue';

import { createDigestSource, createPeriodSource } from '../engine/digest-source.ts';
import type { MeetingIndex } from '../engine/meetings/meeting-index.ts';
import type { BoundRecipe, Period, PeriodMeeting, RecipeSchedule } from '../engine/recipe.ts';
import { planDue } from '../engine/schedules.ts';

/** One run of a scheduled recipe outside its schedule. */
export interface RecipeRun {
  readonly recipe: BoundRecipe;
  readonly period: Period;
  readonly effects: readonly EffectJob[];
}

/**
 * Plans a scheduled recipe now, for as long a time before now as its schedule covers; undefined: it has no schedule. Pure.
 */
export function planRun(
  recipe: BoundRecipe,
  options: { readonly workspace: string; readonly clock: () => number },
): RecipeRun | undefined {
  if (recipe.schedule === undefined) return undefined;
  const toMs = options.clock();
  const period = { fromMs: toMs - measurePeriod(recipe.schedule, toMs), toMs };
  return { recipe, period, effects: planDue(recipe, period, options) };
}

/** The meetings that a run would include. Asks the service for each report. */
export async function listRunMeetings(
  { recipe, period }: RecipeRun,
  {
    client,
    meetings,
    clock,
  }: {
    readonly client: ReportReader;
    readonly meetings: Pick<MeetingIndex, 'list'>;
    readonly clock: () => number;
  },
): Promise<readonly PeriodMeeting[]> {
  const digests = createDigestSource(client, clock, () => {});
  return await createPeriodSource(meetings, digests).read(period, recipe);
}

/** The time between the last two moments of a schedule, in milliseconds. */
function measurePeriod({ cron, timeZone = 'UTC' }: RecipeSchedule, nowMs: number): number {
  const lastMs = previousCronRun(cron, nowMs, timeZone) ?? nowMs;
  return lastMs - (previousCronRun(cron, lastMs - 1, timeZone) ?? lastMs);
}
