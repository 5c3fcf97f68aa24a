import type { ReportReader } from '@aftermeet/client';
import { type Backend, createJobQueue, type JobOutcome, type Log, startJobWorker } from '@aftermeet/queue';

import { bindRecipes } from './bind-recipes.ts';
import type { Destinations } from './destinations.ts';
import { createDigestSource } from './digest-source.ts';
import { openLedger } from './ledger/open-ledger.ts';
import type { EndpointRecipes } from './match-recipes.ts';
import { openCarriers } from './open-carriers.ts';
import { createPace } from './pace.ts';
import { planEffects } from './plan-effects.ts';
import type { ConfiguredRecipe } from './recipe.ts';
import { type RecipeTools, reportFailure, runRecipe } from './run-recipe.ts';
import { createServicePause } from './service-pause.ts';
import type { WorkerStep } from './worker-step.ts';

export interface WorkerOptions {
  readonly backend: Backend;
  readonly client: ReportReader;
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
  /** Part of every effect's key: `active`, the service's name for the workspace of the key. */
  readonly workspace: string;
  /** Recipes of an endpoint that names its own; the others run all. */
  readonly endpointRecipes?: EndpointRecipes;
  readonly log: Log;
  readonly observe?: (step: WorkerStep) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** How many effects are under way at once; one destination gets a third of it. */
  readonly concurrency?: number;
}

export interface Worker {
  /**
   * Takes nothing more, and resolves when what is under way has ended: calls to a destination run to
   * their end (at most their timeout), fetches of reports are broken off and left to the next worker.
   */
  close(): Promise<void>;
}

const sweepEveryMs = 60 * 60 * 1000;

/**
 * Starts a worker: stored deliveries become effects, effects go to their destinations, each once. Any
 * number of workers may share a queue. Rejects when the recipes cannot run or the store is away.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { backend, destinations, workspace, log, endpointRecipes = {}, concurrency = 12 } = options;
  const clock = options.clock ?? Date.now;
  const observe = guardObserver(options.observe, log);
  const recipes = bindRecipes(options.recipes, destinations);
  const carriers = openCarriers(destinations, clock);
  const ledger = await openLedger(backend, log);
  const queue = await createJobQueue(backend, { log }).catch(async (error: unknown) => {
    await ledger.close();
    throw error;
  });
  const closing = new AbortController();
  const tools: RecipeTools = {
    recipes: new Map(recipes.map((recipe) => [recipe.name, recipe])),
    carriers,
    ledger,
    log,
    observe,
    clock,
    pace: createPace(Math.ceil(concurrency / 3), clock),
    pause: createServicePause(log, clock),
    digests: createDigestSource(
      options.client,
      clock,
      (meetingId, elapsedMs) => observe({ kind: 'report_fetched', meetingId, elapsedMs }),
      closing.signal,
    ),
  };
  const events = startJobWorker(
    backend,
    'event',
    async ({ data }): Promise<JobOutcome> => {
      const plan = planEffects(data, { workspace, recipes, endpointRecipes });
      if (!plan.ok) return { kind: 'failed', cause: plan.cause };
      const { meetingId, kind } = plan.event;
      log.debug({ meetingId, kind, effects: plan.effects.length }, 'planned');
      if (plan.effects.length > 0) await queue.addEffects(plan.effects);
      return { kind: 'done' };
    },
    { concurrency, log },
  );
  const effects = startJobWorker(backend, 'effect', (job) => runRecipe(job, tools), {
    concurrency,
    log,
    onFailed: (failed) => reportFailure(failed, tools),
  });

  const sweep = (): void => {
    ledger.sweep(clock()).catch((error: unknown) => {
      log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'the ledger was not swept');
    });
  };
  sweep();
  const sweeping = setInterval(sweep, sweepEveryMs);
  sweeping.unref();

  const close = async (): Promise<void> => {
    clearInterval(sweeping);
    closing.abort();
    await Promise.all([events.close(), effects.close()]);
    await Promise.all([carriers.close(), queue.close()]);
    await ledger.close();
  };
  let closed: Promise<void> | undefined;
  return { close: () => (closed ??= close()) };
}

/** Whoever watches cannot make an effect fail. */
function guardObserver(observe: WorkerOptions['observe'], log: Log): (step: WorkerStep) => void {
  return (step) => {
    try {
      observe?.(step);
    } catch (error) {
      log.error({ error: error instanceof Error ? error.message : 'unknown' }, 'the observer failed');
    }
  };
}
