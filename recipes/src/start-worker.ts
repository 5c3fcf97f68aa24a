import type { ReportReader } from '@aftermeet/client';
import type { Log } from '@aftermeet/queue';

import { listConfigured, openDestinations, settlePolicies } from './destinations/index.ts';
import type { Destinations } from './destinations/settings.ts';
import type { EndpointRecipes } from './engine/conditions/match-recipes.ts';
import type { Connectors, ServiceActions } from './engine/destination.ts';
import type { PolicyChanges } from './engine/limits/policy.ts';
import type { ConfiguredRecipe } from './engine/recipe.ts';
import { type EngineOptions, type SearchTools, startEngine, type Worker } from './engine/worker.ts';
import { reconcile, type ReconcileTools } from './operate/reconcile.ts';
import { bindRecipes } from './prebuilt/bind-recipes.ts';
import { createPeopleDirectory } from './report/people-directory.ts';

export interface WorkerOptions extends Pick<
  EngineOptions,
  'backend' | 'workspace' | 'log' | 'observe' | 'random' | 'concurrency' | 'ledger' | 'publicUrl'
> {
  readonly client: ReportReader;
  /** What attachments and archives need; absent: they fail. */
  readonly service?: ServiceActions | undefined;
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
  /** Recipes of an endpoint that names its own; the others run all. */
  readonly endpointRecipes?: EndpointRecipes | undefined;
  /** How destinations are treated, where not as by default. */
  readonly policies?: PolicyChanges | undefined;
  /** Searches every so often for finished meetings whose delivery never came. */
  readonly reconcile?: Reconciliation | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: (() => number) | undefined;
  /** In place of the destinations: for tests and benchmarks. The worker closes them. */
  readonly connectors?: Connectors | undefined;
}

interface Reconciliation {
  readonly everyMs: number;
  readonly sinceMs: number;
  /** Endpoint of a meeting whose own one is not known. */
  readonly endpoint: string;
  /** The endpoints of the settings; empty: any endpoint counts. */
  readonly endpoints: readonly string[];
  readonly client: ReconcileTools['client'];
}

/** Starts a worker with the recipes and destinations of an installation. Rejects when the recipes cannot run or the store is away. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { backend, destinations, service, clock = backend.clock.now, reconcile: search, log } = options;
  const recipes = bindRecipes(options.recipes, destinations, options.endpointRecipes);
  const policies = settlePolicies(options.policies, destinations);
  const connectors = options.connectors ?? openDestinations(destinations, { policies, clock, service });
  return await startEngine({
    ...options,
    clock,
    recipes,
    policies,
    connectors,
    people: createPeopleDirectory(destinations.people),
    destinations: listConfigured(destinations).map(({ destination }) => destination.name),
    reconcile: search && {
      everyMs: search.everyMs,
      run: (tools) => searchLost(search, tools, log),
    },
  });
}

async function searchLost(
  { client, sinceMs, endpoint, endpoints }: Reconciliation,
  tools: SearchTools,
  log: Log,
): Promise<void> {
  const found = await reconcile({ client, ...tools }, { sinceMs, endpoint, endpoints });
  const { searched, undelivered, misplaced } = found;
  log.info({ searched, queued: undelivered.length }, 'searched for deliveries that never came');
  for (const { meetingId, endpoint: own } of misplaced) {
    log.warn(
      { meetingId, endpoint: own },
      'a lost delivery is not queued: its endpoint is not configured any more',
    );
  }
}
