import type { JobData, JobName } from './job-catalog.ts';

/** The jobs of one store, for what BullMQ does not offer. */
export interface JobStore {
  /**
   * The ids of the jobs of a queue by the time they were added, newest first, in pages. Memory holds ids and times of
   * the jobs that are not given yet. A job that changes its state meanwhile may be missing.
   */
  listIds(queueName: string, range: TimeRange): AsyncIterable<readonly string[]>;
  /** The destinations of all effects, in alphabetical order. */
  listDestinations(): Promise<readonly string[]>;
  /** The jobs of a queue in one state, the next one to be taken first, in pages. */
  listUnfinished(queueName: string, state: UnfinishedState): AsyncIterable<readonly UnfinishedJob[]>;
  /** The ids of the jobs of a queue that begin with `prefix`; at most `limit`. */
  findIds(queueName: string, prefix: string, limit: number): Promise<readonly string[]>;
  /** The jobs of these ids in the same order, read in one step; undefined: there is none. */
  read(queueName: string, ids: readonly string[]): Promise<readonly (ReadJob | undefined)[]>;
  /** Does nothing when there is no such job. */
  change(queueName: string, id: string, change: JobChange): Promise<void>;
  close(): Promise<void>;
}

/** A stored job. */
export interface StoredJob<Name extends JobName> {
  readonly id: string;
  /** Absent when it could not be read. */
  readonly data?: JobData<Name>;
  readonly state: 'waiting' | 'active' | 'delayed' | 'completed' | 'failed';
  /** Milliseconds since 1970. */
  readonly addedAtMs: number;
  readonly finishedAtMs?: number;
  /** When a delayed job is due. */
  readonly dueAtMs?: number;
  readonly startedTimes: number;
  /** Why it failed. */
  readonly cause?: string;
}

/** The states of a job that is not finished. */
export type UnfinishedState = 'delayed' | 'waiting' | 'active';

/** Milliseconds since 1970, both ends included. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A job that is not finished, as a store keeps it. */
export interface UnfinishedJob extends Omit<StoredJob<JobName>, 'data' | 'state'> {
  /** As it is stored. */
  readonly data: unknown;
}

/** A job in any state, as a store keeps it. */
export interface ReadJob extends Omit<StoredJob<JobName>, 'data'> {
  /** As it is stored. */
  readonly data: unknown;
}

/** What changes of a finished job before it waits again. */
interface JobChange {
  readonly data?: object | undefined;
  /** Milliseconds between the adding of the job and the time at which it is due. */
  readonly delayMs: number;
}
