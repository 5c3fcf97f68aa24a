import {
  type Backend,
  type JobSchedules,
  type JobWorker,
  type Log,
  startJobWorker,
  type TakenJob,
} from '@aftermeet/queue';

import { nameSchedule, runSchedule, type ScheduleTools } from './run-schedule.ts';
import { tellErrors, tellFailure } from './tell-errors.ts';

export interface SchedulesOptions {
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
  const take = tellErrors('schedule', (job: TakenJob<'schedule'>) => runSchedule(job, tools), log);
  const onFailed = tellFailure('schedule', log);
  return [startJobWorker(backend, 'schedule', take, { concurrency: 1, log, onFailed })];
}
