import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';

import type { ReportReader } from '@aftermeet/client';
import {
  type Backend,
  createJobQueue,
  type JobQueue,
  type JobWorker,
  type Log,
  openJobSchedules,
  startJobWorker,
  type TakenJob,
} from '@aftermeet/queue';

import type { PeopleDirectory } from '../report/people-directory.ts';
import {
  alertOfEmptiness,
  alertOfEffect,
  alertOfPause,
  alertOfRefusedKey,
  type AlertTools,
} from './alerts.ts';
import { writeApprovalToken } from './approval-links.ts';
import { askForApproval, keepRequest } from './approval-requests.ts';
import { createCircuit } from './circuit-breaker.ts';
import type { DeliveryTools } from './deliver.ts';
import { runDestination } from './destination-worker.ts';
import type { Connectors } from './destination.ts';
import { createDigestSource, createPeriodSource } from './digest-source.ts';
import { readDoneTasks } from './done-tasks.ts';
import { readEdit } from './draft-edits.ts';
import { openHandPauses } from './hand-pauses.ts';
import { startHeartbeats } from './heartbeats.ts';
import type { Journal } from './journal/journal.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { DeliveryPolicies } from './limits/policy.ts';
import { openSharedLimits } from './limits/rate-limits.ts';
import { logErrors, logFailure } from './log-job-errors.ts';
import type { MeetingIndex } from './meetings/meeting-index.ts';
import type { WorkerStep } from './outcome.ts';
import { fanOut } from './plan.ts';
import type { BoundRecipe } from './recipe.ts';
import { runSchedules } from './schedules.ts';
import { createServiceCircuit } from './service-access.ts';
import { openJournal, openLedger, openMeetingIndex } from './store/open-stores.ts';
import { openSharedKey } from './store/shared-key.ts';
import { endWithin } from './store/store-tools.ts';
import { openSuppressions, writeUnsubscribeToken } from './suppressions.ts';
import { createUnknownPeopleNotes } from './unknown-people.ts';
import { createWorkerMetrics, type WorkerState } from './worker-metrics.ts';

/** What the engine runs on. It knows no destination and no recipe: both are handed to it. */
export interface EngineOptions {
  readonly backend: Backend;
  readonly client: ReportReader;
  readonly recipes: readonly BoundRecipe[];
  /** The open destinations. The worker closes them. */
  readonly connectors: Connectors;
  readonly policies: DeliveryPolicies;
  /** The names of the destinations that are open. */
  readonly destinations: readonly string[];
  /** The receiver's public address, for the links of requests for approval. Without a trailing slash. */
  readonly publicUrl?: string | undefined;
  /** Who people are. */
  readonly people?: PeopleDirectory | undefined;
  /** Part of every effect's key: `active`, the service's name for the workspace of the key. */
  readonly workspace: string;
  /** Searches every so often for finished meetings whose delivery never came. */
  readonly reconcile?:
    | { readonly everyMs: number; readonly run: (tools: SearchTools) => Promise<void> }
    | undefined;
  readonly log: Log;
  readonly observe?: ((step: WorkerStep) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** At least 0, less than 1. */
  readonly random?: (() => number) | undefined;
  /** How many events are made into effects at once. */
  readonly concurrency?: number | undefined;
  /** In place of the ledger in the store: for tests and benchmarks. The worker closes it. */
  readonly ledger?: Ledger | undefined;
  /** In place of the journal in the store. The worker closes it. */
  readonly journal?: Journal | undefined;
}

/** What a search for lost deliveries needs of the store. */
export interface SearchTools {
  readonly meetings: MeetingIndex;
  readonly queue: Pick<JobQueue, 'addEvent'>;
  readonly clock: () => number;
}

export interface Worker {
  /** What this worker has done, as Prometheus reads it. */
  renderMetrics(): Promise<string>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  /** How many milliseconds this machine's clock is ahead of the store's, by which the worker goes. */
  readClockAheadMs(): number;
  /**
   * Takes nothing more, and resolves when what is under way has ended: calls to a destination run to
   * their end (at most their timeout), fetches of reports are broken off and left to the next worker.
   */
  close(): Promise<void>;
}

/**
 * Starts the engine: stored deliveries become effects, effects go to their destinations, each once. Any
 * number of workers may share a queue. Rejects when the store is away.
 */
export async function startEngine(options: EngineOptions): Promise<Worker> {
  const { backend, recipes, workspace, log, concurrency = 32 } = options;
  const sendsAnywhere = recipes.some(({ prebuilt }) => prebuilt.sendsAnywhere === true);
  const used = recipes.map(({ prebuilt }) => prebuilt.destination);
  const asked = recipes.flatMap(({ approval }) => approval?.asks.map((ask) => ask.destination) ?? []);
  const destinations = [...new Set([...used, ...asked, ...(sendsAnywhere ? options.destinations : [])])];
  let readState: (() => Promise<WorkerState>) | undefined;
  const metrics = createWorkerMetrics(destinations, async () => await readState?.());
  const observe = guardObserver(options.observe, metrics.count, log);
  const parts = await openWorkerParts(options, observe);
  const { queue, meetings, journal, queueing, tools } = parts;
  const { ledger, rateLimits, clock } = tools;
  const heartbeats = startHeartbeats(parts.shared, { name: tools.workerName, clock: backend.clock });
  readState = async () => ({
    skewMs: -backend.clock.machineAheadMs(),
    queues: await Promise.all([
      readQueue('event', queue, clock),
      ...destinations.map((name) => readQueue(name, queue, clock, name)),
    ]),
  });
  const workers: JobWorker[] = [];
  const stop = async (): Promise<void> => {
    parts.stopFetching();
    metrics.close();
    await Promise.allSettled(workers.map((worker) => worker.close()));
    await endWithin(heartbeats.close(), closeWithinMs);
    await parts.close();
  };
  try {
    const schedules = await openJobSchedules(backend);
    try {
      const { everyMs, run } = options.reconcile ?? {};
      const reconcile = run && (() => run({ meetings, queue, clock }));
      const scheduling = { ...queueing, workspace, recipes: tools.recipes, reconcile };
      workers.push(...(await runSchedules({ backend, schedules, everyMs, log }, scheduling)));
    } finally {
      await schedules.close();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  for (const destination of destinations) workers.push(runDestination(backend, destination, tools));
  const rules = { workspace, recipes };
  const planning = { ...queueing, rules, meetings, journal, log };
  const takeEvent = logErrors('event', (job: TakenJob<'event'>) => fanOut(job, planning), log);
  const onFailed = logFailure('event', log);
  workers.push(startJobWorker(backend, 'event', takeEvent, { concurrency, log, onFailed }));
  const sweeper = sweepHourly([ledger, rateLimits, meetings, journal], { clock, log });

  const close = async (): Promise<void> => {
    await Promise.all([sweeper.close(), stop()]);
  };
  let closed: Promise<void> | undefined;
  return {
    renderMetrics: metrics.render,
    ping: async () => {
      await queue.counts('event');
    },
    readClockAheadMs: backend.clock.machineAheadMs,
    close: () => (closed ??= close()),
  };
}

async function readQueue(
  name: string,
  queue: Pick<JobQueue, 'counts' | 'countEffects' | 'findOldest'>,
  clock: () => number,
  destination?: string,
): Promise<WorkerState['queues'][number]> {
  const [jobs, oldestAtMs] = await Promise.all([
    destination === undefined ? queue.counts('event') : queue.countEffects(destination),
    queue.findOldest(destination),
  ]);
  return {
    name,
    jobs: { ...jobs },
    oldestMs: oldestAtMs === undefined ? 0 : Math.max(0, clock() - oldestAtMs),
  };
}

/** An observer that throws fails no effect. */
function guardObserver(
  observe: EngineOptions['observe'],
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

/** After so many questions without an answer the service is left alone for a while. Milliseconds. */
const serviceCircuit = { failures: 5, firstOpenMs: 5000, maxOpenMs: 60_000 };

/** Opens what the engine needs. Rejects, and leaves nothing open, when the store is away. */
async function openWorkerParts(options: EngineOptions, observe: (step: WorkerStep) => void) {
  const { backend, client, recipes, policies, workspace, log, clock, random = Math.random } = options;
  const opened: { close(): Promise<void> }[] = [];
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(part);
    return part;
  };
  const close = async (): Promise<void> => {
    await Promise.allSettled(opened.map((part) => part.close()));
  };
  const connectors = keep(options.connectors);
  try {
    const queue = keep(await createJobQueue(backend));
    const ledger = keep(options.ledger ?? (await openLedger(backend, { clock })));
    const { rateLimits, keyWatch, pauses, alertThrottle, shared } = await openSharedLimits(backend);
    keep(rateLimits);
    const unfollow = backend.clock.follow(() => shared.readClockMs());
    keep({ close: () => Promise.resolve(unfollow()) });
    const handPauses = keep(await openHandPauses(shared));
    const suppressions = keep(await openSuppressions(shared));
    const { publicUrl } = options;
    const unsubscribeKey = publicUrl && (await openSharedKey(shared, 'unsubscribe-key', clock()));
    const meetings = keep(await openMeetingIndex(backend));
    const journal = keep(options.journal ?? (await openJournal(backend)));
    const stopping = new AbortController();
    // Each fetch that is under way listens to it.
    setMaxListeners(0, stopping.signal);
    const digests = createDigestSource(
      client,
      clock,
      (meetingId, elapsedMs) => observe({ kind: 'report_fetched', meetingId, elapsedMs }),
      {
        signal: stopping.signal,
        people: options.people,
        readDone: (meetingId) => readDoneTasks(shared, meetingId),
        onUnknown: createUnknownPeopleNotes(shared, clock),
        keepsTranscripts: recipes.some(
          ({ input }) => (input.from === 'report' || input.from === 'run') && input.needsTranscript,
        ),
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
    const recipesByName = new Map(recipes.map((recipe) => [recipe.name, recipe]));
    const asking = { ...queueing, ledger, recipes: recipesByName, workspace };
    const tools: DeliveryTools = {
      workspace,
      queue,
      recipes: recipesByName,
      connectors,
      ledger,
      journal,
      workerName: `${hostname()}:${process.pid}`,
      rateLimits,
      policies,
      digests,
      periods: createPeriodSource(meetings, digests),
      alertThrottle,
      keyWatch,
      pauses,
      handPauses,
      suppressions,
      linkUnsubscribe: (whom) =>
        unsubscribeKey && `${publicUrl}/unsubscribe/${writeUnsubscribeToken(unsubscribeKey, whom)}`,
      findEdit: (effectKey, approved, contentHash) => readEdit(shared, effectKey, approved, contentHash),
      gate: createServiceCircuit(createCircuit(serviceCircuit, random), clock),
      onKeyRefused: (episode) => alertOfRefusedKey(episode, alerts),
      onPaused: (destination, cause, episode) => alertOfPause({ destination, cause, episode }, alerts),
      alertOfEffect: (kind, effect, cause) => alertOfEffect(kind, effect, cause, alerts),
      askForApproval: (effect) => askForApproval(effect, asking),
      requests: {
        ledger,
        connectors,
        keepRequest: (id, record) => keepRequest(shared, id, record, clock()),
        linkTo: async (id) => {
          if (publicUrl === undefined) return undefined;
          return `${publicUrl}/approve/${writeApprovalToken(await openSharedKey(shared, 'approval-key', clock()), id)}`;
        },
        clock,
      },
      alertOfEmptiness: (event) => alertOfEmptiness(event, alerts),
      log,
      observe,
      clock,
      settleClock: backend.clock.settled,
      random,
    };
    return {
      queue,
      meetings,
      journal,
      shared,
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
