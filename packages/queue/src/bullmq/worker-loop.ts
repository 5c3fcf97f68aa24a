import { setTimeout as pause } from 'node:timers/promises';

import { Worker, type WorkerOptions } from 'bullmq';

import type { Backend } from '../backend.ts';
import type { JobName } from '../job-catalog.ts';
import type { Log } from '../log.ts';
import { createOutageLog } from '../outage-log.ts';
import { closeRedis } from '../redis/close-redis.ts';
import { retryDelayMs } from '../retry-delay.ts';
import type { JobWorker } from '../taken-job.ts';
import { withDeadline } from '../with-deadline.ts';
import type { JobProcessor } from './job-processor.ts';
import { PostgresWorker, toBullConnection } from './postgres-classes.ts';
import { bullPrefix, queueNames } from './queue-names.ts';

const RESTART_AFTER_MS = 1000;
const CLOSE_WITHIN_MS = 3000;
const DROP_WITHIN_MS = 500;

/** A crashed worker's job is taken over within `lockDuration` + `stalledInterval`, however often. */
const workerOptions = {
  autorun: false,
  lockDuration: 10_000,
  stalledInterval: 5000,
  maxStalledCount: 1_000_000_000,
  runRetryDelay: 1000,
  removeOnComplete: { age: 7 * 24 * 3600, count: 100_000 },
  settings: { backoffStrategy: (attemptsMade: number) => retryDelayMs(attemptsMade) },
} satisfies Partial<WorkerOptions>;

/** Starts a BullMQ worker, again and again until the store lets it start, and runs it until closed. */
export function keepWorkerRunning(
  backend: Backend,
  name: JobName,
  processor: JobProcessor,
  { concurrency, log }: { readonly concurrency: number; readonly log: Log },
): JobWorker {
  const outage = createOutageLog(log, { store: backend.name, worker: queueNames[name] });
  const closing = new AbortController();
  const running = new Set<Promise<void>>();

  const track: JobProcessor['process'] = (job, token) => {
    outage.recovered();
    const one = processor.process(job, token);
    const ended = one
      .catch(() => undefined) // BullMQ gets the error from the promise itself.
      .finally(() => running.delete(ended));
    running.add(ended);
    return one;
  };

  async function start(): Promise<OpenWorker | undefined> {
    while (!closing.signal.aborted) {
      const opened = openWorker(backend, name, track, concurrency);
      opened.worker.on('error', outage.failed);
      opened.worker.on('failed', (job, error) => {
        if (job !== undefined) void processor.reportFailure(job, error);
      });
      try {
        await whileOpen(opened.worker.waitUntilReady(), closing.signal);
        opened.worker.run().catch(outage.failed);
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
    async close() {
      closing.abort();
      const opened = await started;
      if (opened === undefined) return;
      const closed = opened.worker.close();
      while (running.size > 0) await Promise.all(running);
      await closeWorker(opened, closed);
    },
  };
}

type OpenWorker = ReturnType<typeof openWorker>;

function openWorker(backend: Backend, name: JobName, process: JobProcessor['process'], concurrency: number) {
  if (backend.kind === 'redis') {
    const client = backend.connect('work');
    const worker = new Worker<unknown, void>(queueNames[name], process, {
      ...workerOptions,
      concurrency,
      connection: client,
      prefix: bullPrefix(backend.namespace),
    });
    return { worker, release: () => closeRedis(client) };
  }
  const worker = new PostgresWorker<unknown, void>(queueNames[name], process, {
    ...workerOptions,
    concurrency,
    connection: toBullConnection(backend, 'work'),
  });
  return { worker, release: () => Promise.resolve() };
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
