import type { Backend, ConnectionUse } from '../backend.ts';
import { openPostgresShelf } from '../postgres/postgres-job-shelf.ts';
import { openRedisShelf } from '../redis/redis-job-shelf.ts';

/** Moments, both included; milliseconds since 1970. */
export interface MomentRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a finished job is to be when it waits again. */
interface JobChange {
  readonly data?: object | undefined;
  /** Milliseconds after the job was added: when it is due. */
  readonly delayMs: number;
}

/** What BullMQ has no call for, of the jobs that a store keeps. */
export interface JobShelf {
  /**
   * The ids of the jobs of a queue by the time they were added, newest first, in pages. In memory are ids and times, of
   * those that are not given yet. A job that changes its place meanwhile may be missing.
   */
  listIds(queueName: string, range: MomentRange): AsyncIterable<readonly string[]>;
  /** Milliseconds since 1970: when a delayed job is due; undefined when it is not delayed. */
  findDueMs(queueName: string, id: string): Promise<number | undefined>;
  /** Does nothing when there is no such job. */
  change(queueName: string, id: string, change: JobChange): Promise<void>;
  close(): Promise<void>;
}

/** Opens the shelf of a store; its connection is made at the first call. */
export function openShelf(backend: Backend, use: ConnectionUse): JobShelf {
  return backend.kind === 'redis' ? openRedisShelf(backend, use) : openPostgresShelf(backend, use);
}
