import { DelayedError, type Job, UnrecoverableError } from 'bullmq';

import { describeError } from '../describe-error.ts';
import type { JobName } from '../job-catalog.ts';
import { encodeJobData } from '../job-data-codec.ts';
import { parseJobData } from '../parse-job-data.ts';
import type { JobOutcome, JobWorkerOptions, TakenJob } from '../taken-job.ts';
import type { WorkerBackend } from './worker-backend.ts';

export type BullJob = Job<unknown, void>;
export type PutAside = WorkerBackend['putAside'];

/** How BullMQ sees a kind of job: what to run, and what to do when one has failed for good. */
export interface JobProcessor {
  readonly process: (job: BullJob, token: string, putAside: PutAside) => Promise<void>;
  readonly reportFailure: (job: BullJob, error: Error) => Promise<void>;
}

/** Turns outcomes into BullMQ's signals: put aside, fail for good, or (a thrown error) try again. */
export function createJobProcessor<Name extends JobName>(
  name: Name,
  handle: (job: TakenJob<Name>) => Promise<JobOutcome<Name>>,
  { log, onFailed }: JobWorkerOptions<Name>,
): JobProcessor {
  return {
    async process(job, token, putAside) {
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
        dueAtMs: findDueMs(job),
      });
      switch (outcome.kind) {
        case 'done':
          return;
        case 'wait':
          log.debug({ job: id, kind: name, forMs: outcome.forMs, cause: outcome.cause }, 'job put aside');
          try {
            await putAside({
              job,
              token,
              dueAtMs: Math.ceil(Date.now() + Math.max(outcome.forMs, 0)),
              data: outcome.data === undefined ? undefined : encodeJobData(outcome.data),
            });
          } catch (error) {
            // Somebody else has it, or it comes back when its lock is over: no try of it may be burnt for that.
            log.warn({ job: id, kind: name, error: describeError(error) }, 'this job could not be put aside');
          }
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

/** When a job was to be taken at the earliest. BullMQ ends the id of a job that a schedule made with its moment. */
function findDueMs({ id = '', repeatJobKey, timestamp, opts }: BullJob): number {
  const moment = repeatJobKey === undefined ? undefined : /:(\d+)$/.exec(id)?.[1];
  return moment === undefined ? timestamp + (opts.delay ?? 0) : Number(moment);
}
