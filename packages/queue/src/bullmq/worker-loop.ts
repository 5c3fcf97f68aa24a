import { setTimeout as pause } from 'node:timers/promises';

import { Worker, type WorkerOptions } from 'bullmq';

import type { Backend } from '../backend.ts';
import type { Log } from '../log.ts';
import { createOutageLog } from '../outage-log.ts';
import { retryDelayMs } from '../retry-delay.ts';
import type { JobWorker } from '../taken-job.ts';
import { withDeadline } from '../with-deadline.ts';
import { type FinishedLimits, finishedLimits } from './finished-limits.ts';
import { createFinishedTrimmer } from './finished-trimmer.ts';
import type { BullJob, JobProcessor, PutAside } from './job-processor.ts';
import { type JobSelection, nameQueue } from './queue-names.ts';
import { openWorkerBackend } from './worker-backend.ts';
import { changePlaces, preparePlaces } from './worker-places.ts';

const RESTART_AFTER_MS = 1000;
const CLOSE_WITHIN_MS = 3000;
const DROP_WITHIN_MS = 500;

/**
 * The lock of a job is renewed when half of `lockDuration` is over. When its worker was killed, the lock is over after
 * 5 to 10 s, and the next look for such jobs takes it back at most `stalledInterval` later, however often it happens.
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
  readonly log: Log;
  readonly limits?: FinishedLimits;
}

/** Starts a BullMQ worker, again and again until the store lets it start, and runs it until closed. */
export function keepWorkerRunning(
  backend: Backend,
  selection: JobSelection,
  processor: JobProcessor,
  { concurrency, log, limits = finishedLimits }: LoopOptions,
): JobWorker {
  const queueName = nameQueue(selection);
  const outage = createOutageLog(log, { store: backend.name, worker: queueName });
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const trim = createFinishedTrimmer(backend, queueName, limits, outage.failed);
  let places = concurrency;
  let current: OpenWorker | undefined;

  const process: Process = (job, token, putAside) => {
    outage.recovered();
    trim();
    // The place is free before BullMQ hears of the end, and looks for the next job.
    const one: Promise<void> = processor.process(job, token, putAside).finally(() => running.delete(one));
    running.add(one);
    return one;
  };
  const mayTake = (): boolean => !closing.signal.aborted && running.size < places;

  async function start(): Promise<OpenWorker | undefined> {
    while (!closing.signal.aborted) {
      const opened = openWorker(backend, queueName, { process, mayTake, limits });
      const { worker } = opened;
      worker.on('error', outage.failed);
      worker.on('failed', (job, error) => {
        if (job !== undefined) void processor.reportFailure(job, error);
      });
      try {
        await whileOpen(worker.waitUntilReady(), closing.signal);
        preparePlaces(worker, places);
        current = opened;
        worker.run().catch(outage.failed);
        return opened;
      } catch (error) {
        if (!closing.signal.aborted) outage.failed(error);
        await closeWorker(opened);
      }
      // Ends early when the worker is closed meanwhile.
      await pause(RESTART_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    return undefined;
  }

  const started = start();
  return {
    setPlaces(wanted) {
      places = wanted;
      if (current !== undefined && !closing.signal.aborted)
        changePlaces(current.worker, places, outage.failed);
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

type Process = (job: BullJob, token: string, putAside: PutAside) => Promise<void>;
type OpenWorker = ReturnType<typeof openWorker>;

function openWorker(
  backend: Backend,
  queueName: string,
  {
    process,
    mayTake,
    limits: { completed, failed },
  }: { readonly process: Process; readonly mayTake: () => boolean; readonly limits: FinishedLimits },
) {
  const store = openWorkerBackend(backend, mayTake);
  const toKeep = ({ ageSeconds, count }: FinishedLimits['failed']) =>
    backend.kind === 'redis' ? { age: ageSeconds, count } : { age: ageSeconds };
  const worker = new Worker(
    queueName,
    (job: BullJob, token = '') => process(job, token, (aside) => store.putAside(aside)),
    {
      ...workerOptions,
      removeOnComplete: toKeep(completed),
      removeOnFail: toKeep(failed),
      connection: {}, // `create` knows it.
      ...(store.prefix === undefined ? {} : { prefix: store.prefix }),
    },
    store.create,
  );
  return { worker, release: () => store.release() };
}

/** A store that is away can keep BullMQ's own close from ending: then the connections are dropped. */
async function closeWorker({ worker, release }: OpenWorker, closed = worker.close(true)): Promise<void> {
  try {
    await withDeadline(closed, CLOSE_WITHIN_MS);
  } catch {
    await withDeadline(worker.disconnect(), DROP_WITHIN_MS).catch(() => undefined);
  }
  await release();
}

function whileOpen<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return Promise.race([
    promise,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('closed')), { once: true });
      if (signal.aborted) reject(new Error('closed'));
    }),
  ]);
}
