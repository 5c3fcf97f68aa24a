import type { ReportReader } from '@aftermeet/client';
import {
  type Backend,
  effectDestinations,
  type JobWorker,
  type Log,
  openJobSchedules,
  startJobWorker,
  type TakenJob,
} from '@aftermeet/queue';

import type { Destinations } from './destinations.ts';
import { fanOut } from './fan-out.ts';
import { keepSwept } from './keep-swept.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Carriers, ServiceActions } from './open-carriers.ts';
import { openWorkerParts, type WorkerParts } from './open-worker-parts.ts';
import { reconcile, type ReconcileTools } from './operate/reconcile.ts';
import type { PolicyChanges } from './pace/policy.ts';
import type { ConfiguredRecipe } from './recipe.ts';
import type { EndpointRecipes } from './routing/match-recipes.ts';
import { runDestination } from './run-destination.ts';
import { runSchedules } from './run-schedules.ts';
import { tellErrors, tellFailure } from './tell-errors.ts';
import { createWorkerMeter } from './worker-meter.ts';
import type { WorkerStep } from './worker-step.ts';

export interface WorkerOptions {
  readonly backend: Backend;
  readonly client: ReportReader;
  /** What attachments, archives and new reports need; absent: they fail. */
  readonly service?: ServiceActions;
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
  /** Part of every effect's key: `active`, the service's name for the workspace of the key. */
  readonly workspace: string;
  /** Recipes of an endpoint that names its own; the others run all. */
  readonly endpointRecipes?: EndpointRecipes;
  /** How destinations are treated, where not as usual. */
  readonly policies?: PolicyChanges;
  /** Searches every so often for finished meetings whose delivery never came. */
  readonly reconcile?: {
    readonly everyMs: number;
    readonly sinceMs: number;
    /** Whose recipes run. */
    readonly endpoint: string;
    readonly client: ReconcileTools['client'];
  };
  readonly log: Log;
  readonly observe?: (step: WorkerStep) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** At least 0, less than 1. */
  readonly random?: () => number;
  /** How many events are made into effects at once. */
  readonly concurrency?: number;
  /** In place of the ledger in the store, and of the destinations: for tests and benchmarks. The worker closes them. */
  readonly ledger?: Ledger;
  readonly carriers?: Carriers;
}

export interface Worker {
  /** What this worker has done, as Prometheus reads it. */
  renderMetrics(): string;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  /**
   * Takes nothing more, and resolves when what is under way has ended: calls to a destination run to
   * their end (at most their timeout), fetches of reports are broken off and left to the next worker.
   */
  close(): Promise<void>;
}

/**
 * Starts a worker: stored deliveries become effects, effects go to their destinations, each once. Any
 * number of workers may share a queue. Rejects when the recipes cannot run or the store is away.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { backend, workspace, log, endpointRecipes = {}, concurrency = 32 } = options;
  const meter = createWorkerMeter();
  const observe = guardObserver(options.observe, meter.count, log);
  const parts = await openWorkerParts(options, observe);
  const { recipes, queue, meetings, queueing, tools } = parts;
  const { ledger, lanes, policies, clock } = tools;
  const workers: JobWorker[] = [];
  const stop = async (): Promise<void> => {
    parts.stopFetching();
    await Promise.allSettled(workers.map((worker) => worker.close()));
    await parts.close();
  };
  try {
    const schedules = await openJobSchedules(backend, { log });
    try {
      const everyMs = options.reconcile?.everyMs;
      const scheduling = { ...queueing, workspace, recipes: tools.recipes, ...bindReconcile(options, parts) };
      workers.push(...(await runSchedules({ backend, schedules, everyMs, log }, scheduling)));
    } finally {
      await schedules.close();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  for (const destination of effectDestinations) {
    if (!recipes.some(({ prebuilt }) => prebuilt.destination === destination)) continue;
    workers.push(runDestination({ backend, destination, policy: policies[destination], log }, tools));
  }
  const rules = { workspace, recipes, endpointRecipes };
  const planning = { ...queueing, rules, meetings, log };
  const takeEvent = tellErrors('event', (job: TakenJob<'event'>) => fanOut(job, planning), log);
  const onFailed = tellFailure('event', log);
  workers.push(startJobWorker(backend, 'event', takeEvent, { concurrency, log, onFailed }));
  const sweeper = keepSwept([ledger, lanes, meetings], { clock, log });

  const close = async (): Promise<void> => {
    await Promise.all([sweeper.close(), stop()]);
  };
  let closed: Promise<void> | undefined;
  return {
    renderMetrics: meter.render,
    ping: async () => {
      await queue.counts('event');
    },
    close: () => (closed ??= close()),
  };
}

/** The search for deliveries that never came, where these settings want it. */
function bindReconcile(
  { reconcile: wanted, log }: WorkerOptions,
  { meetings, queue, queueing: { clock } }: WorkerParts,
): { readonly reconcile?: () => Promise<void> } {
  if (wanted === undefined) return {};
  const { sinceMs, endpoint, client } = wanted;
  return {
    reconcile: async () => {
      const found = await reconcile({ client, meetings, queue, clock }, { sinceMs, endpoint });
      const { searched, undelivered } = found;
      log.info({ searched, queued: undelivered.length }, 'searched for deliveries that never came');
    },
  };
}

/** Whoever watches cannot make an effect fail. */
function guardObserver(
  observe: WorkerOptions['observe'],
  count: (step: WorkerStep) => void,
  log: Log,
): (step: WorkerStep) => void {
  return (step) => {
    count(step);
    try {
      observe?.(step);
    } catch (error) {
      log.error({ error: error instanceof Error ? error.message : 'unknown' }, 'the observer failed');
    }
  };
}
