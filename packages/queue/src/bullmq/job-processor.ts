import { DelayedError, type Job, UnrecoverableError } from 'bullmq';

import { describeError } from '../describe-error.ts';
import { type JobData, type JobName, jobCatalog } from '../job-catalog.ts';
import { decodeJobData } from '../job-data-codec.ts';
import type { JobOutcome, JobWorkerOptions, TakenJob } from '../taken-job.ts';

/** Whatever a vendor says about when to come back: a loop without a pause would be an attack on it. */
const SHORTEST_WAIT_MS = 1000;

/** How BullMQ sees a kind of job: what to run, and what to do when one has failed for good. */
export interface JobProcessor {
  readonly process: (job: Job<unknown, void>, token: string | undefined) => Promise<void>;
  readonly reportFailure: (job: Job<unknown, void>, error: Error) => Promise<void>;
}

/** Turns outcomes into BullMQ's signals: put aside, fail for good, or (a thrown error) try again. */
export function createJobProcessor<Name extends JobName>(
  name: Name,
  handle: (job: TakenJob<Name>) => Promise<JobOutcome>,
  { log, onFailed }: JobWorkerOptions<Name>,
): JobProcessor {
  return {
    async process(job, token) {
      const id = job.id ?? '';
      const data = parseJobData(name, job.data);
      if (data === undefined) {
        log.error({ job: id, kind: name }, 'the data of this job can not be read: it has failed');
        throw new UnrecoverableError('the data of this job can not be read');
      }
      const outcome = await handle({
        id,
        data,
        attempt: job.attemptsMade + 1,
        startedTimes: job.attemptsStarted,
        maxAttempts: job.opts.attempts ?? 1,
      });
      switch (outcome.kind) {
        case 'done':
          return;
        case 'wait':
          log.debug({ job: id, kind: name, forMs: outcome.forMs, cause: outcome.cause }, 'job put aside');
          await job.moveToDelayed(Date.now() + Math.max(outcome.forMs, SHORTEST_WAIT_MS), token);
          throw new DelayedError();
        case 'failed':
          throw new UnrecoverableError(outcome.cause);
      }
    },
    async reportFailure(job, error) {
      // BullMQ tells of every failed try; only the last one ends the job.
      if (job.finishedOn === undefined) return;
      const data = parseJobData(name, job.data);
      try {
        await onFailed?.({
          id: job.id ?? '',
          ...(data === undefined ? {} : { data }),
          attempt: job.attemptsMade,
          cause: error.message,
        });
      } catch (failure) {
        log.error({ job: job.id, error: describeError(failure) }, 'telling of a failed job went wrong');
      }
    },
  };
}

function parseJobData<Name extends JobName>(name: Name, stored: unknown): JobData<Name> | undefined {
  try {
    const parsed = jobCatalog[name].schema.safeParse(decodeJobData(stored));
    // The catalog pairs name and schema; the compiler loses the pair on a generic name.
    return parsed.success ? (parsed.data as JobData<Name>) : undefined;
  } catch {
    // Broken JSON text inside: the same as data of a wrong shape.
    return undefined;
  }
}
