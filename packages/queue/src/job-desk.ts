import { ErrorCode } from 'bullmq';

import type { Backend } from './backend.ts';
import { openShelf } from './bullmq/job-shelf.ts';
import { type BullQueue, openQueues } from './bullmq/open-queues.ts';
import { nameQueue } from './bullmq/queue-names.ts';
import type { EffectDestination, EffectJob, JobData, JobName } from './job-catalog.ts';
import { encodeJobData } from './job-data-codec.ts';
import type { Log } from './log.ts';
import { parseJobData } from './parse-job-data.ts';
import { toSafeId } from './safe-id.ts';

/** A job as it is kept, for people. */
export interface StoredJob<Name extends JobName> {
  readonly id: string;
  /** Absent when it could not be read. */
  readonly data?: JobData<Name>;
  readonly state: 'waiting' | 'active' | 'delayed' | 'completed' | 'failed';
  /** Milliseconds since 1970. */
  readonly addedAtMs: number;
  readonly finishedAtMs?: number;
  /** When a delayed one is taken at the earliest. */
  readonly dueAtMs?: number;
  readonly startedTimes: number;
  /** Why it has failed. */
  readonly cause?: string;
}

/** What people may see of the jobs, and do with them. */
export interface JobDesk {
  /**
   * Newest first: those that were added between the two moments (milliseconds since 1970, both included). Jobs are read
   * page by page, as they are asked for.
   */
  listEvents(range?: { readonly fromMs?: number; readonly toMs?: number }): AsyncIterable<StoredJob<'event'>>;
  findEvent(id: string): Promise<StoredJob<'event'> | undefined>;
  findEffect(destination: EffectDestination, effectKey: string): Promise<StoredJob<'effect'> | undefined>;
  /**
   * Makes a failed or completed effect wait again as if it were new, and a delayed one due now; false when it is none
   * of these, or gone.
   */
  repeatEffect(destination: EffectDestination, effectKey: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Jobs that are read at the same time. */
const PAGE = 50;

/** BullMQ's codes for a job that is gone, or in another state by now. */
const movedCodes: readonly unknown[] = [ErrorCode.JobNotExist, ErrorCode.JobNotInState];

/** Opens the desk. Rejects when the store can't be reached now. */
export async function openJobDesk(backend: Backend, { log }: { readonly log: Log }): Promise<JobDesk> {
  const queues = await openQueues(backend, 'work', log);
  const shelf = openShelf(backend, 'work');
  const events = queues.open(nameQueue({ name: 'event' }));
  const openEffects = (destination: EffectDestination) =>
    queues.open(nameQueue({ name: 'effect', destination }));
  const effects = {
    slack: openEffects('slack'),
    notion: openEffects('notion'),
    email: openEffects('email'),
    http: openEffects('http'),
    folder: openEffects('folder'),
    service: openEffects('service'),
  } satisfies Record<EffectDestination, BullQueue>;

  async function find<Name extends JobName>(
    queue: BullQueue,
    name: Name,
    id: string,
  ): Promise<StoredJob<Name> | undefined> {
    const job = await queue.getJob(id);
    if (job === undefined) return undefined;
    const state = readState(await job.getState());
    if (state === undefined) return undefined;
    const data = parseJobData(name, job.data);
    const dueAtMs = state === 'delayed' ? await shelf.findDueMs(queue.name, id) : undefined;
    return {
      id,
      ...(data === undefined ? {} : { data }),
      state,
      addedAtMs: job.timestamp,
      ...(job.finishedOn === undefined ? {} : { finishedAtMs: job.finishedOn }),
      ...(dueAtMs === undefined ? {} : { dueAtMs }),
      startedTimes: job.attemptsStarted,
      ...(state === 'failed' ? { cause: job.failedReason } : {}),
    };
  }

  return {
    async *listEvents({ fromMs = 0, toMs = Number.MAX_SAFE_INTEGER - 1 } = {}) {
      for await (const ids of shelf.listIds(events.name, { fromMs, toMs })) {
        for (let at = 0; at < ids.length; at += PAGE) {
          const page = ids.slice(at, at + PAGE).map((id) => find(events, 'event', id));
          for (const job of await Promise.all(page)) if (job !== undefined) yield job;
        }
      }
    },
    findEvent: (id) => find(events, 'event', toSafeId(id)),
    findEffect: (destination, effectKey) => find(effects[destination], 'effect', toSafeId(effectKey)),
    async repeatEffect(destination, effectKey) {
      const queue = effects[destination];
      const job = await queue.getJob(toSafeId(effectKey));
      if (job?.id === undefined) return false;
      const state = await job.getState();
      if (state === 'delayed') return await unlessMoved(() => job.promote());
      if (state !== 'failed' && state !== 'completed') return false;
      const data = parseJobData('effect', job.data);
      await shelf.change(queue.name, job.id, {
        data: data === undefined ? undefined : encodeJobData(forgetStarts(data)),
        delayMs: Date.now() - job.timestamp,
      });
      return await unlessMoved(() =>
        job.retry(state, { resetAttemptsMade: true, resetAttemptsStarted: true }),
      );
    },
    async close() {
      await Promise.all([queues.close(), shelf.close()]);
    },
  };
}

/** A job that begins anew has no turn and has met nothing, and none of its starts has ended yet. */
function forgetStarts({
  turnMs: _turn,
  restedStarts: _rested,
  obstacle: _obstacle,
  spread: _spread,
  ...kept
}: EffectJob): EffectJob {
  return kept;
}

/** False when the job is gone, or in another state by now. */
async function unlessMoved(move: () => Promise<unknown>): Promise<boolean> {
  try {
    await move();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && movedCodes.includes(error.code)) return false;
    throw error;
  }
}

/** Undefined: it was removed a moment ago. */
function readState(state: string): StoredJob<JobName>['state'] | undefined {
  switch (state) {
    case 'unknown':
      return undefined;
    case 'active':
    case 'delayed':
    case 'completed':
    case 'failed':
      return state;
    default:
      return 'waiting';
  }
}
