import type { JobData, JobName } from './job-catalog.ts';
import type { Log } from './log.ts';

/** A job that was taken. */
export interface TakenJob<Name extends JobName> {
  readonly id: string;
  readonly data: JobData<Name>;
  /** 1 for the first try; only a thrown error makes another one. */
  readonly attempt: number;
  /** How often it was taken at all, counting waits and crashes too. */
  readonly startedTimes: number;
  readonly maxAttempts: number;
}

/** What came of a job. A thrown error means: try again later, up to `maxAttempts`. */
export type JobOutcome =
  | { readonly kind: 'done' }
  /** Put aside for a while; burns no attempt. */
  | { readonly kind: 'wait'; readonly forMs: number; readonly cause: string }
  /** Permanent: stays visible among the failed jobs. */
  | { readonly kind: 'failed'; readonly cause: string };

/** A job that will not be tried again. `data` is absent when it could not be read. */
export interface FailedJob<Name extends JobName> {
  readonly id: string;
  readonly data?: JobData<Name>;
  readonly attempt: number;
  readonly cause: string;
}

export interface JobWorkerOptions<Name extends JobName> {
  readonly concurrency: number;
  readonly log: Log;
  /** Told once when a job has failed for good; a crash can swallow it, the failed job itself stays. */
  readonly onFailed?: (failed: FailedJob<Name>) => void | Promise<void>;
}

export interface JobWorker {
  /** Takes no more jobs, and resolves when those that run have ended. */
  close(): Promise<void>;
}
