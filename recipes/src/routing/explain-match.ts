import type { Digest } from '../digest.ts';
import type { BoundRecipe, MeetingEvent } from '../recipe.ts';
import { listEventConditions } from './event-conditions.ts';
import { leftToReport } from './match-report.ts';
import { listReportConditions } from './report-conditions.ts';

/** One condition of a recipe, and whether it holds for a meeting. */
export interface JudgedCondition {
  /** For people: `it has the tag sales or customer`. */
  readonly condition: string;
  /** Undefined: the event does not tell, and there is no report to ask. */
  readonly holds: boolean | undefined;
}

/**
 * Each condition of a recipe, judged for one event and, where there is one, its report. The title is the
 * event's where it names one; the transcript is judged by both, as the worker does. Pure.
 */
export function explainMatch(
  recipe: Pick<BoundRecipe, 'when'> & {
    readonly prebuilt: Pick<BoundRecipe['prebuilt'], 'events' | 'transcript' | 'reads'>;
  },
  event: MeetingEvent,
  digest?: Digest,
): readonly JudgedCondition[] {
  const judged = new Map<string, boolean | undefined>();
  for (const condition of listEventConditions(recipe)) judged.set(condition.says, condition.holds(event));
  if (recipe.prebuilt.reads === 'report') {
    for (const condition of listReportConditions(leftToReport(recipe.when, event))) {
      const byEvent = judged.get(condition.says);
      const byReport = digest === undefined ? undefined : condition.holds(digest);
      judged.set(condition.says, byEvent === false ? false : (byReport ?? byEvent));
    }
  }
  return [...judged].map(([condition, holds]) => ({ condition, holds }));
}
