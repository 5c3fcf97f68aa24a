import type { ReportReader } from '@aftermeet/client';
import {
  type Backend,
  createJobQueue,
  effectDestinations,
  type JobWorker,
  type Log,
  openJobSchedules,
  startJobWorker,
  type TakenJob,
} from '@aftermeet/queue';

import { reconcile, type ReconcileTools } from '../operate/reconcile.ts';
import { alertOfEmptiness, alertOfFailure, alertOfRefusedKey, type AlertTools } from './alerts.ts';
import { createCircuit } from './circuit-breaker.ts';
import type { EndpointRecipes } from './conditions/match-recipes.ts';
import { bindRecipes } from './configured-recipes.ts';
import { type Connectors, openConnectors, type ServiceActions } from './connectors.ts';
import type { DeliveryTools } from './deliver.ts';
import { runDestination } from './destination-worker.ts';
import type { Destinations } from './destinations.ts';
import { createDigestSource, createPeriodSource } from './digest-source.ts';
import type { Ledger } from './ledger/ledger.ts';
import { type PolicyChanges, settlePolicies } from './limits/policy.ts';
import { openSharedLimits } from './limits/rate-limits.ts';
import { logErrors, logFailure } from './log-job-errors.ts';
import type { WorkerStep } from './outcome.ts';
import { fanOut } from './plan.ts';
import type { ConfiguredRecipe } from './recipe.ts';
import { runSchedules } from './schedules.ts';
import { createServiceCircuit } from './service-access.ts';
import { openLedger, openMeetingIndex } from './store/open-stores.ts';
import { endWithin } from './store/store-tools.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

export interface WorkerOptions {
  readonly backend: Backend;
  readonly client: ReportReader;
  /** What attachments and archives need; absent: they fail. */
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
  readonly reconcile?:
    | {
        readonly everyMs: number;
        readonly sinceMs: number;
        /** Endpoint of a meeting whose own one is not known. */
        readonly endpoint: string;
        /** The endpoints of the settings; empty: any endpoint counts. */
        readonly endpoints: readonly string[];
        readonly client: ReconcileTools['client'];
      }
    | undefined;
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
  readonly connectors?: Connectors;
}

export interface Worker {
  /** What this worker has done, as Prometheus reads it. */
  renderMetrics(): Promise<string>;
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
  const { backend, workspace, log, concurrency = 32 } = options;
  const metrics = createWorkerMetrics();
  const observe = guardObserver(options.observe, metrics.count, log);
  const parts = await openWorkerParts(options, observe);
  const { recipes, queue, meetings, queueing, tools } = parts;
  const { ledger, rateLimits, clock } = tools;
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
    // Jobs for `service` are of an earlier release: they end, and say so.
    const isWanted =
      destination === 'service' || recipes.some((one) => one.prebuilt.destination === destination);
    if (!isWanted) continue;
    workers.push(runDestination(backend, destination, tools));
  }
  const rules = { workspace, recipes };
  const planning = { ...queueing, rules, meetings, log };
  const takeEvent = logErrors('event', (job: TakenJob<'event'>) => fanOut(job, planning), log);
  const onFailed = logFailure('event', log);
  workers.push(startJobWorker(backend, 'event', takeEvent, { concurrency, log, onFailed }));
  const sweeper = sweepHourly([ledger, rateLimits, meetings], { clock, log });

  const close = async (): Promise<void> => {
    await Promise.all([sweeper.close(), stop()]);
  };
  let closed: Promise<void> | undefined;
  return {
    renderMetrics: metrics.render,
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
  const { client, everyMs: _everyMs, ...search } = wanted;
  return {
    reconcile: async () => {
      const found = await reconcile({ client, meetings, queue, clock }, search);
      const { searched, undelivered, misplaced } = found;
      log.info({ searched, queued: undelivered.length }, 'searched for deliveries that never came');
      for (const { meetingId, endpoint } of misplaced) {
        log.warn(
          { meetingId, endpoint },
          'a lost delivery is not queued: its endpoint is not configured any more',
        );
      }
    },
  };
}

/** An observer that throws fails no effect. */
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

/** Everything that a worker holds open, ready to be used. */
type WorkerParts = Awaited<ReturnType<typeof openWorkerParts>>;

/** After so many questions without an answer the service is left alone for a while. Milliseconds. */
const serviceCircuit = { failures: 5, firstOpenMs: 5000, longestOpenMs: 60_000 };

/** Opens what a worker needs. Rejects, and leaves nothing open, when the recipes can't run or the store is away. */
async function openWorkerParts(options: WorkerOptions, observe: (step: WorkerStep) => void) {
  const { backend, client, service, destinations, workspace, log } = options;
  const { clock = Date.now, random = Math.random } = options;
  const policies = settlePolicies(options.policies);
  const recipes = bindRecipes(options.recipes, destinations, options.endpointRecipes);
  const opened: { close(): Promise<void> }[] = [];
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  const close = async (): Promise<void> => {
    await Promise.allSettled(opened.map((part) => part.close()));
  };
  try {
    const queue = keep(await createJobQueue(backend, { log }));
    const ledger = keep(options.ledger ?? (await openLedger(backend, log, { clock })));
    const connectors = keep(
      options.connectors ??
        openConnectors(destinations, {
          clock,
          policies,
          ...(service === undefined ? {} : { service }),
        }),
    );
    const { rateLimits, keyWatch, alertThrottle } = await openSharedLimits(backend, log);
    keep(rateLimits);
    const meetings = keep(await openMeetingIndex(backend, log));
    const stopping = new AbortController();
    const digests = createDigestSource(
      client,
      clock,
      (meetingId, elapsedMs) => observe({ kind: 'report_fetched', meetingId, elapsedMs }),
      {
        signal: stopping.signal,
        keepsTranscripts: recipes.some(({ input }) => input.from === 'report' && input.needsTranscript),
      },
    );
    const queueing = { queue, rateLimits, policies, clock };
    const alerts: AlertTools = {
      ...queueing,
      workspace,
      recipes,
      raised: new Set(),
      log,
    };
    const tools: DeliveryTools = {
      workspace,
      queue,
      recipes: new Map(recipes.map((recipe) => [recipe.name, recipe])),
      connectors,
      ledger,
      rateLimits,
      policies,
      digests,
      periods: createPeriodSource(meetings, digests),
      alertThrottle,
      keyWatch,
      gate: createServiceCircuit(createCircuit(serviceCircuit, random), clock),
      onKeyRefused: (episode) => alertOfRefusedKey(episode, alerts),
      alertOfFailure: (failed, cause) => alertOfFailure(failed, cause, alerts),
      alertOfEmptiness: (event) => alertOfEmptiness(event, alerts),
      log,
      observe,
      clock,
      random,
    };
    return {
      recipes,
      queue,
      meetings,
      queueing,
      tools,
      /** Breaks off the fetches that are under way. */
      stopFetching: () => stopping.abort(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Sweepable {
  sweep(nowMs: number): Promise<void>;
}

const everyMs = 60 * 60 * 1000;

const closeWithinMs = 1000;

/** Lets stores forget what is past its time: now, and every hour. */
function sweepHourly(
  stores: readonly Sweepable[],
  { clock, log }: { readonly clock: () => number; readonly log: Log },
): { close(): Promise<void> } {
  let sweeping = Promise.resolve();
  const sweep = (): void => {
    sweeping = Promise.all(stores.map((store) => store.sweep(clock()))).then(
      () => undefined,
      (error: unknown) => {
        log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'old entries were not swept');
      },
    );
  };
  sweep();
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      // A store that is away is not waited for.
      await endWithin(sweeping, closeWithinMs);
    },
  };
}
