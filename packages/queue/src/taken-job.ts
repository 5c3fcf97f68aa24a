import type { EffectDestination, JobData, JobName } from './job-catalog.ts';
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
  /**
   * Milliseconds since 1970: when it was to be taken at the earliest; of a scheduled job always the moment of its
   * schedule. A try after a thrown error has that of the one before.
   */
  readonly dueAtMs: number;
}

/** What came of a job. A thrown error means: try again later, up to `maxAttempts`. */
export type JobOutcome<Name extends JobName = JobName> =
  | { readonly kind: 'done' }
  /**
   * Put aside for a while, milliseconds are enough; burns no attempt. `data` replaces what the job carries, in the same
   * step. A job that is not this worker's any more, or whose store does not answer, is left to be taken again.
   */
  | { readonly kind: 'wait'; readonly forMs: number; readonly cause: string; readonly data?: JobData<Name> }
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
  /** Whose effects; only for jobs of the kind `effect`, which have a queue for each destination. */
  readonly destination?: EffectDestination;
  readonly concurrency: number;
  readonly log: Log;
  /** Told once when a job has failed for good; a crash can swallow it, the failed job itself stays. */
  readonly onFailed?: (failed: FailedJob<Name>) => void | Promise<void>;
}

export interface JobWorker {
  /**
   * From now on at most so many jobs at once; 0 takes none until it is called again. What runs, or is being taken at
   * this moment, runs on. May be called at any time, also before the store lets the worker start.
   */
  readonly setPlaces: (places: number) => void;
  /** Takes no more jobs, and resolves when those that run have ended. */
  close(): Promise<void>;
}
