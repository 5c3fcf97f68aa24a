import type { FailedJob, JobName, Log, TakenJob } from '@aftermeet/queue';

/**
 * Logs each try of a job that ended with an error, before the queue retries it. Only the error's name: its message can
 * hold anything.
 */
export function logErrors<Name extends JobName, Outcome>(
  kind: Name,
  handle: (job: TakenJob<Name>) => Promise<Outcome>,
  log: Log,
): (job: TakenJob<Name>) => Promise<Outcome> {
  return async (job) => {
    try {
      return await handle(job);
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      log.warn({ job: job.id, kind, error: name, attempt: job.attempt }, 'unexpected error, will retry');
      throw error;
    }
  };
}

/** Logs a job that is not retried; it stays among the failed ones. */
export function logFailure<Name extends JobName>(kind: Name, log: Log): (failed: FailedJob<Name>) => void {
  return ({ id, attempt }) => {
    log.error({ job: id, kind, attempt }, 'this job has failed, no further retry');
  };
}
