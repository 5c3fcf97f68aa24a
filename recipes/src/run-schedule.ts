import type { JobOutcome, ScheduleJob, TakenJob } from '@aftermeet/queue';
import { CronExpressionParser } from 'cron-parser';

import { planRecipe } from './plan-effects.ts';
import { queueEffects, type QueueingTools } from './queue-effects.ts';
import type { BoundRecipe, MeetingEvent, RecipeSchedule } from './recipe.ts';
import { deriveTraceId } from './trace-id.ts';

export interface ScheduleTools extends QueueingTools {
  readonly workspace: string;
  readonly recipes: ReadonlyMap<string, BoundRecipe>;
  /** Searches for deliveries that never came; absent: these settings do not want it. */
  readonly reconcile?: () => Promise<void>;
}

/** Does what is due by the clock. */
export async function runSchedule(
  { data, dueAtMs }: Pick<TakenJob<'schedule'>, 'data' | 'dueAtMs'>,
  tools: ScheduleTools,
): Promise<JobOutcome<'schedule'>> {
  if (data.task === 'reconcile') {
    await tools.reconcile?.();
    return { kind: 'done' };
  }
  const recipe = tools.recipes.get(data.recipe);
  if (recipe?.schedule === undefined) {
    return { kind: 'failed', cause: `the recipe ${JSON.stringify(data.recipe)} has no schedule any more` };
  }
  await queueEffects(planScheduled(recipe, recipe.schedule, dueAtMs, tools), tools);
  return { kind: 'done' };
}

/** The id of a recipe's schedule. */
export function nameSchedule(job: ScheduleJob): string {
  return job.task === 'recipe' ? `recipe ${job.recipe}` : job.task;
}

/** The moment is the occurrence: however often it is planned, its effects are the same. */
function planScheduled(
  recipe: BoundRecipe,
  schedule: RecipeSchedule,
  dueAtMs: number,
  { workspace, clock }: ScheduleTools,
) {
  const occurrence = new Date(dueAtMs).toISOString();
  const event: MeetingEvent = {
    kind: 'schedule.due',
    meetingId: '',
    occurrence,
    endpoint: 'default',
    receivedAt: new Date(clock()).toISOString(),
    recipe: recipe.name,
    since: findPreviousMoment(schedule, dueAtMs).toISOString(),
  };
  const traceId = deriveTraceId(`schedule ${recipe.name} ${occurrence}`);
  return planRecipe(recipe, event, { workspace, traceId, about: 'schedule' });
}

/** When a schedule was due before: a day is not always 24 hours long. */
function findPreviousMoment({ cron, timeZone = 'UTC' }: RecipeSchedule, dueAtMs: number): Date {
  return CronExpressionParser.parse(cron, { currentDate: new Date(dueAtMs), tz: timeZone })
    .prev()
    .toDate();
}
