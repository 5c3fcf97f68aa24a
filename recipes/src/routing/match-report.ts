import type { Digest } from '../digest.ts';
import type { MeetingEvent, RecipeWhen } from '../recipe.ts';
import { listReportConditions } from './report-conditions.ts';

/**
 * Why a recipe does not want a meeting, judged by its report; nothing when it does. What the event tells is judged
 * before (match-recipes.ts). For people; holds no content but the conditions themselves.
 */
export function explainMismatch(
  when: RecipeWhen,
  digest: Digest,
  event: Pick<MeetingEvent, 'title'>,
): string | undefined {
  const conditions = listReportConditions(leftToReport(when, event));
  return conditions.find((condition) => !condition.holds(digest))?.otherwise;
}

/** What the report is asked: a title that the event has named counts, whatever the meeting is called since. */
export function leftToReport(
  { title, ...others }: RecipeWhen,
  event: Pick<MeetingEvent, 'title'>,
): RecipeWhen {
  return title === undefined || event.title !== undefined ? others : { ...others, title };
}
