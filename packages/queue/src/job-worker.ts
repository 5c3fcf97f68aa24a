import { DelayedError, UnrecoverableError } from 'bullmq';

import type { Backend } from './backend.ts';
import { type BullJob, type JobProcessor, type JobWorker, keepWorkerRunning } from './bullmq/worker-loop.ts';
import { describeError } from './errors.ts';
import { encodeJobData, type JobData, type JobName, parseJobData } from './job-catalog.ts';
import type { Log } from './log.ts';
import type { StoreClock } from './store-clock.ts';

/**
 * Passes the jobs of one kind to `handle`. Waits for a store that is unavailable, without a limit. A job whose worker
 * dies runs again, so handlers must tolerate repetition.
 */
export function startJobWorker<Name extends JobName>(
  backend: Backend,
  name: Name,
  handle: (job: TakenJob<Name>) => Promise<JobOutcome<Name>>,
  options: JobWorkerOptions<Name>,
): JobWorker {
  const processor = createJobProcessor(name, handle, { ...options, clock: backend.clock });
  return keepWorkerRunning(backend, { name, destination: options.destination }, processor, options);
}

/** A job that this worker has started. */
export interface TakenJob<Name extends JobName> {
  readonly id: string;
  readonly data: JobData<Name>;
  /** 1 for the first attempt; only a thrown error causes another. */
  readonly attempt: number;
  /** All starts, those before a wait or a crash included. */
  readonly startedTimes: number;
  readonly maxAttempts: number;
  /**
   * When the job was due, in milliseconds since 1970; of a scheduled job the time of its schedule. An attempt after a
   * thrown error keeps the time of the first.
   */
  readonly dueAtMs: number;
}

/** The result of a job. A thrown error means another attempt later, up to `maxAttempts`. */
export type JobOutcome<Name extends JobName = JobName> =
  | { readonly kind: 'done' }
  /**
   * The job runs again after `forMs`, which uses up no attempt, and keeps its place. `data` replaces the job's data in the
   * same step. When the lock is lost or the store does not answer, the job stays as it is and another worker starts it.
   */
  | {
      readonly kind: 'wait';
      readonly forMs: number;
      readonly cause: string;
      readonly data?: JobData<Name>;
    }
  /** Permanent: the job stays in the list of failed jobs. */
  | { readonly kind: 'failed'; readonly cause: string };

/** A job without further attempts. `data` is absent when it could not be read. */
export interface FailedJob<Name extends JobName> {
  readonly id: string;
  readonly data?: JobData<Name>;
  readonly attempt: number;
  readonly cause: string;
}

export interface JobWorkerOptions<Name extends JobName> {
  /** Required for jobs of the kind `effect`, which have one queue per destination. */
  readonly destination?: string;
  readonly concurrency: number;
  readonly log: Log;
  /** Called once when a job has failed permanently. A crash can prevent the call; the failed job itself stays. */
  readonly onFailed?: (failed: FailedJob<Name>) => void | Promise<void>;
}

interface ProcessorOptions<Name extends JobName> extends Pick<JobWorkerOptions<Name>, 'log' | 'onFailed'> {
  readonly clock: Pick<StoreClock, 'now' | 'settled'>;
}

/** Turns outcomes into BullMQ's errors for delayed, failed and retried jobs. */
export function createJobProcessor<Name extends JobName>(
  name: Name,
  handle: (job: TakenJob<Name>) => Promise<JobOutcome<Name>>,
  { log, onFailed, clock }: ProcessorOptions<Name>,
): JobProcessor {
  return {
    async process(job, token, delayJob) {
      const id = job.id ?? '';
      const data = parseJobData(name, job.data);
      if (data === undefined) {
        log.error({ job: id, kind: name }, 'the data of this job cannot be read: it has failed');
        throw new UnrecoverableError('the data of this job cannot be read');
      }
      // Slots and leases are counted on it.
      await clock.settled();
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
          log.debug({ job: id, kind: name, retryInMs: outcome.forMs, cause: outcome.cause }, 'job delayed');
          try {
            await delayJob({
              job,
              token,
              dueAtMs: Math.ceil(clock.now() + Math.max(outcome.forMs, 0)),
              data: outcome.data === undefined ? undefined : encodeJobData(outcome.data),
            });
          } catch (error) {
            // Another worker has it, or it starts again when its lock expires. Neither uses up an attempt.
            log.warn({ job: id, kind: name, error: describeError(error) }, 'this job could not be delayed');
          }
          throw new DelayedError();
        case 'failed':
          throw new UnrecoverableError(outcome.cause);
      }
    },
    async reportFailure(job, error) {
      // BullMQ calls this for each failed attempt; only the last one ends the job.
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
        log.error({ job: job.id, error: describeError(failure) }, 'the handler of a failed job has failed');
      }
    },
  };
}

/** When a job was due. BullMQ ends the id of a scheduled job with its time. */
function findDueMs({ id = '', repeatJobKey, timestamp, opts }: BullJob): number {
  const scheduledMs = repeatJobKey === undefined ? undefined : /:(\d+)$/.exec(id)?.[1];
  return scheduledMs === undefined ? timestamp + (opts.delay ?? 0) : Number(scheduledMs);
}
