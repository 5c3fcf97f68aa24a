import type { FailedJob, JobName, Log, TakenJob } from '@aftermeet/queue';

/**
 * Tells of every try of a job that an error ended, before the queue tries it again. The error's name only: its message
 * can hold anything.
 */
export function tellErrors<Name extends JobName, Outcome>(
  kind: Name,
  handle: (job: TakenJob<Name>) => Promise<Outcome>,
  log: Log,
): (job: TakenJob<Name>) => Promise<Outcome> {
  return async (job) => {
    try {
      return await handle(job);
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      log.warn(
        { job: job.id, kind, error: name, attempt: job.attempt },
        'an error stood in the way of a job',
      );
      throw error;
    }
  };
}

/** Tells of a job that is not tried again; it stays among the failed ones. */
export function tellFailure<Name extends JobName>(kind: Name, log: Log): (failed: FailedJob<Name>) => void {
  return ({ id, attempt }) => {
    log.error({ job: id, kind, attempt }, 'this job has failed and is not tried again');
  };
}
