import { previousCronRun } from '@aftermeet/contract';
import {
  type Backend,
  type EffectJob,
  type JobOutcome,
  type JobSchedules,
  type JobWorker,
  type Log,
  type ScheduleJob,
  startJobWorker,
  type TakenJob,
} from '@aftermeet/queue';

import { logErrors, logFailure } from './log-job-errors.ts';
import { deriveTraceId, planRecipe } from './plan.ts';
import { queueEffects, type QueueingTools } from './queue-effects.ts';
import type { BoundRecipe, MeetingEvent, Period } from './recipe.ts';

interface SchedulesOptions {
  readonly backend: Backend;
  readonly schedules: JobSchedules;
  /** How often deliveries that never came are searched for; undefined: not at all. */
  readonly everyMs: number | undefined;
  readonly log: Log;
}

/** Sets what these settings want by the clock, removes what they do not want any more, and does what is due. */
export async function runSchedules(
  { backend, schedules, everyMs, log }: SchedulesOptions,
  tools: ScheduleTools,
): Promise<readonly JobWorker[]> {
  const wanted = [...tools.recipes.values()].flatMap(({ name, schedule }) =>
    schedule === undefined ? [] : [{ job: { task: 'recipe' as const, recipe: name }, cadence: schedule }],
  );
  const all = [
    ...wanted,
    ...(everyMs === undefined ? [] : [{ job: { task: 'reconcile' as const }, cadence: { everyMs } }]),
  ];
  for (const { job, cadence } of all) await schedules.set(nameSchedule(job), cadence, job);
  await schedules.keepOnly(all.map(({ job }) => nameSchedule(job)));
  if (all.length === 0) return [];
  const take = logErrors('schedule', (job: TakenJob<'schedule'>) => runSchedule(job, tools), log);
  const onFailed = logFailure('schedule', log);
  return [startJobWorker(backend, 'schedule', take, { concurrency: 1, log, onFailed })];
}

export interface ScheduleTools extends QueueingTools {
  readonly workspace: string;
  readonly recipes: ReadonlyMap<string, BoundRecipe>;
  /** Searches for deliveries that never came; absent: these settings do not want it. */
  readonly reconcile?: (() => Promise<void>) | undefined;
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
  const sinceMs = previousCronRun(recipe.schedule.cron, dueAtMs - 1, recipe.schedule.timeZone) ?? dueAtMs;
  await queueEffects(planDue(recipe, { fromMs: sinceMs, toMs: dueAtMs }, tools), tools);
  return { kind: 'done' };
}

/** The id of a recipe's schedule. */
function nameSchedule(job: ScheduleJob): string {
  return job.task === 'recipe' ? `recipe ${job.recipe}` : job.task;
}

/**
 * The effects of a scheduled recipe for the meetings of a period. The end of the period is the occurrence: however often it
 * is planned, its effects are the same. Pure.
 */
export function planDue(
  recipe: BoundRecipe,
  { fromMs, toMs }: Period,
  { workspace, clock }: Pick<ScheduleTools, 'workspace' | 'clock'>,
): readonly EffectJob[] {
  const occurrence = new Date(toMs).toISOString();
  const event: MeetingEvent = {
    kind: 'schedule.due',
    meetingId: '',
    occurrence,
    endpoint: 'default',
    receivedAt: new Date(clock()).toISOString(),
    recipe: recipe.name,
    since: new Date(fromMs).toISOString(),
  };
  const traceId = deriveTraceId(`schedule ${recipe.name} ${occurrence}`);
  return planRecipe(recipe, event, { workspace, traceId, about: 'schedule' });
}
