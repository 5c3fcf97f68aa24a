import { setTimeout as pause } from 'node:timers/promises';

import { type Job, Worker, type WorkerOptions } from 'bullmq';

import type { Backend } from '../backend.ts';
import { type FinishedLimits, type FinishedLimit, trimFinished } from '../postgres/postgres-jobs.ts';
import { withDeadline } from '../with-deadline.ts';
import { type JobSelection, nameQueue } from './queues.ts';
import { openWorkerBackend, type TakingRules, type WorkerBackend } from './worker-backend.ts';

export interface JobWorker {
  /**
   * Limits the number of concurrent jobs; 0 pauses the worker. Running jobs continue. May be called at any time, also
   * before the worker has reached the store.
   */
  readonly setConcurrency: (places: number) => void;
  /** Starts no more jobs, and resolves when the running ones have ended. */
  close(): Promise<void>;
}

/** The handlers that BullMQ's worker calls for a kind of job. */
export interface JobProcessor {
  readonly process: (job: BullJob, token: string, delayJob: DelayJob) => Promise<void>;
  readonly reportFailure: (job: BullJob, error: Error) => Promise<void>;
}

export type BullJob = Job<unknown, void>;

type DelayJob = WorkerBackend['delayJob'];

const RESTART_AFTER_MS = 1000;
const CLOSE_WITHIN_MS = 3000;
const DISCONNECT_WITHIN_MS = 500;
const TRIM_INTERVAL_MS = 10 * 60 * 1000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 15 * 60 * 1000;
const DAY_SECONDS = 24 * 3600;

/** Failed jobs stay as long as the ledger keeps a failed effect, so that an operator can repeat them. */
const finishedLimits: FinishedLimits = {
  completed: { ageSeconds: 7 * DAY_SECONDS, count: 100_000 },
  failed: { ageSeconds: 30 * DAY_SECONDS, count: 100_000 },
};

/**
 * BullMQ renews the lock of a job after half of `lockDuration`. After a kill the lock expires within 5 to 10 s, and the
 * next check, at most `stalledInterval` later, makes the job available again, any number of times.
 */
const workerOptions = {
  autorun: false,
  lockDuration: 10_000,
  stalledInterval: 5000,
  maxStalledCount: 1_000_000_000,
  runRetryDelay: 1000,
  settings: { backoffStrategy: (attemptsMade: number) => retryDelayMs(attemptsMade) },
} satisfies Partial<WorkerOptions>;

interface LoopOptions {
  readonly concurrency: number;
  readonly limits?: FinishedLimits;
}

/** Starts a BullMQ worker, retries while the store is unavailable, and runs it until closed. */
export function keepWorkerRunning(
  backend: Backend,
  selection: JobSelection,
  processor: JobProcessor,
  { concurrency, limits = finishedLimits }: LoopOptions,
): JobWorker {
  const queueName = nameQueue(selection);
  const { outage } = backend;
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const trim = createFinishedTrimmer(backend, queueName, limits, outage.failed);
  let maxRunning = concurrency;
  let current: OpenWorker | undefined;

  const process: Process = (job, token, delayJob) => {
    outage.recovered();
    trim();
    // Removed before BullMQ learns of the end and asks for the next job.
    const run: Promise<void> = processor.process(job, token, delayJob).finally(() => running.delete(run));
    running.add(run);
    return run;
  };
  const isIdle = (): boolean => running.size === 0;
  const mayTake = (): boolean => !closing.signal.aborted && running.size < maxRunning;

  async function start(): Promise<OpenWorker | undefined> {
    while (!closing.signal.aborted) {
      const opened = openWorker(backend, queueName, { process, mayTake, isIdle, limits });
      const { worker } = opened;
      worker.on('error', (error) => {
        // A lock that was lost is no fault of the store: the job is taken again.
        if (!/\block\b/.test(error.message)) outage.failed(error);
      });
      worker.on('failed', (job, error) => {
        if (job !== undefined) void processor.reportFailure(job, error);
      });
      try {
        await rejectOnAbort(worker.waitUntilReady(), closing.signal);
        setInitialConcurrency(worker, maxRunning);
        current = opened;
        worker.run().catch(outage.failed);
        return opened;
      } catch (error) {
        if (!closing.signal.aborted) outage.failed(error);
        await closeWorker(opened);
      }
      // Ends early when the worker is closed.
      await pause(RESTART_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    return undefined;
  }

  const started = start();
  return {
    setConcurrency(wanted) {
      maxRunning = wanted;
      if (current !== undefined && !closing.signal.aborted)
        changeConcurrency(current.worker, maxRunning, outage.failed);
    },
    async close() {
      closing.abort();
      const opened = await started;
      if (opened === undefined) return;
      const closed = opened.worker.close();
      while (running.size > 0) await Promise.allSettled(running);
      await closeWorker(opened, closed);
    },
  };
}

type Process = (job: BullJob, token: string, delayJob: DelayJob) => Promise<void>;

type OpenWorker = ReturnType<typeof openWorker>;

function openWorker(
  backend: Backend,
  queueName: string,
  {
    process,
    mayTake,
    isIdle,
    limits: { completed, failed },
  }: TakingRules & { readonly process: Process; readonly limits: FinishedLimits },
) {
  const store = openWorkerBackend(backend, { mayTake, isIdle });
  const toKeep = ({ ageSeconds, count }: FinishedLimit) =>
    backend.kind === 'redis' ? { age: ageSeconds, count } : { age: ageSeconds };
  const worker = new Worker(
    queueName,
    (job: BullJob, token = '') => process(job, token, (delayed) => store.delayJob(delayed)),
    {
      ...workerOptions,
      removeOnComplete: toKeep(completed),
      removeOnFail: toKeep(failed),
      connection: {}, // `create` has its own.
      ...(store.prefix === undefined ? {} : { prefix: store.prefix }),
    },
    store.create,
  );
  return { worker, release: () => store.release() };
}

/** BullMQ's own close may not end while the store is unavailable; then the connections are dropped. */
async function closeWorker({ worker, release }: OpenWorker, closed = worker.close(true)): Promise<void> {
  try {
    await withDeadline(closed, CLOSE_WITHIN_MS);
  } catch {
    await withDeadline(worker.disconnect(), DISCONNECT_WITHIN_MS).catch(() => undefined);
  }
  await release();
}

function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return Promise.race([
    promise,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('closed')), { once: true });
      if (signal.aborted) reject(new Error('closed'));
    }),
  ]);
}

/** The part of a BullMQ worker that limits its jobs. */
type PausableWorker = Pick<Worker, 'concurrency' | 'pause' | 'resume' | 'run' | 'isPaused' | 'isRunning'>;

/** Before the worker runs. With 0 it stays paused until {@link changeConcurrency}. */
function setInitialConcurrency(worker: PausableWorker, concurrency: number): void {
  worker.concurrency = Math.max(concurrency, 1);
  // Takes effect at once, and the promise never rejects.
  if (concurrency < 1) void worker.pause(true);
}

/**
 * While the worker runs. BullMQ ends its loop when it is paused and its last job has ended; `resume` starts the loop
 * again, or wakes it. `onError` gets the error of a loop that did not start.
 */
function changeConcurrency(
  worker: PausableWorker,
  concurrency: number,
  onError: (error: unknown) => void,
): void {
  const isMore = concurrency > worker.concurrency;
  setInitialConcurrency(worker, concurrency);
  if (concurrency < 1 || !(isMore || worker.isPaused())) return;
  // A full loop checks its concurrency when a job ends. `resume` wakes it earlier, but only a paused one.
  void worker.pause(true);
  void worker.resume();
  // A resume at the moment when the loop was ending does not restart it.
  setImmediate(() => {
    if (!worker.isPaused() && !worker.isRunning()) worker.run().catch(onError);
  });
}

/** Returns a function to call at each job. Every ten minutes it deletes finished jobs above the limits. */
function createFinishedTrimmer(
  backend: Backend,
  queueName: string,
  limits: FinishedLimits,
  onError: (error: unknown) => void,
): () => void {
  if (backend.kind === 'redis') return () => undefined; // BullMQ's own limit is cheap on Redis.
  let lastMs = performance.now();
  return () => {
    if (performance.now() - lastMs < TRIM_INTERVAL_MS) return;
    lastMs = performance.now();
    trimFinished(backend, queueName, limits).catch(onError);
  };
}

/**
 * Milliseconds until the next attempt: doubled each time up to 15 minutes, and random within the upper half, so that
 * jobs that failed together do not run together again.
 */
export function retryDelayMs(attemptsMade: number, random: () => number = Math.random): number {
  const fullMs = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attemptsMade - 1), MAX_RETRY_MS);
  return Math.round(fullMs / 2 + (fullMs / 2) * random());
}
