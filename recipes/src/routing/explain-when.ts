import type { BoundRecipe } from '../recipe.ts';
import { listEventConditions } from './event-conditions.ts';
import { listReportConditions } from './report-conditions.ts';

type Explained = Pick<BoundRecipe, 'when' | 'schedule'> & {
  readonly prebuilt: Pick<BoundRecipe['prebuilt'], 'events' | 'transcript' | 'reads'>;
};

/**
 * What makes a recipe run, in sentences without a full stop, all of which must hold: what it asks for itself and what its
 * prebuilt recipe does. Pure.
 */
export function explainWhen(recipe: Explained): readonly string[] {
  const { schedule, when, prebuilt } = recipe;
  if (schedule !== undefined)
    return [`it is due by the clock: ${schedule.cron} (${schedule.timeZone ?? 'UTC'})`];
  const says = [
    ...listEventConditions(recipe).map((condition) => condition.says),
    ...(prebuilt.reads === 'report' ? listReportConditions(when).map((condition) => condition.says) : []),
  ];
  return [...new Set(says)];
}
