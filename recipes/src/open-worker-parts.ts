import { createJobQueue } from '@aftermeet/queue';

import { bindRecipes } from './bind-recipes.ts';
import { createDigestSource } from './digest-source.ts';
import { openLedger } from './ledger/open-ledger.ts';
import { openMeetingIndex } from './meetings/open-meeting-index.ts';
import { openCarriers } from './open-carriers.ts';
import { createCircuit } from './pace/circuit.ts';
import { openPace } from './pace/open-pace.ts';
import { settlePolicies } from './pace/policy.ts';
import { createPeriodSource } from './period-source.ts';
import { type AlertTools, alertOfEmptiness, alertOfFailure, alertOfRefusedKey } from './raise-alert.ts';
import type { RecipeTools } from './recipe-tools.ts';
import { createServiceGate } from './service-gate.ts';
import type { WorkerStep } from './worker-step.ts';
import type { WorkerOptions } from './worker.ts';

/** Everything that a worker holds open, ready to be used. */
export type WorkerParts = Awaited<ReturnType<typeof openWorkerParts>>;

/** After so many questions without an answer the service is left alone for a while. Milliseconds. */
const serviceCircuit = { failures: 5, firstOpenMs: 5000, longestOpenMs: 60_000 };

/** Opens what a worker needs. Rejects, and leaves nothing open, when the recipes can't run or the store is away. */
export async function openWorkerParts(options: WorkerOptions, observe: (step: WorkerStep) => void) {
  const { backend, client, service, destinations, workspace, log, endpointRecipes = {} } = options;
  const { clock = Date.now, random = Math.random } = options;
  const policies = settlePolicies(options.policies);
  const recipes = bindRecipes(options.recipes, destinations);
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
    const ledger = keep(options.ledger ?? (await openLedger(backend, log, clock)));
    const carriers = keep(
      options.carriers ??
        openCarriers(destinations, {
          clock,
          policies,
          addEvent: (id, job) => queue.addEvent(id, job),
          ...(service === undefined ? {} : { service }),
        }),
    );
    const { lanes, keyWatch, alertGate } = await openPace(backend, log);
    keep(lanes);
    const meetings = keep(await openMeetingIndex(backend, log));
    const stopping = new AbortController();
    const digests = createDigestSource(
      client,
      clock,
      (meetingId, elapsedMs) => observe({ kind: 'report_fetched', meetingId, elapsedMs }),
      {
        signal: stopping.signal,
        withTranscript: recipes.some(({ subject }) => subject.from === 'report' && subject.needsTranscript),
      },
    );
    const queueing = { queue, lanes, policies, clock };
    const alerts: AlertTools = {
      ...queueing,
      workspace,
      recipes,
      endpointRecipes,
      raised: new Set(),
      log,
    };
    const tools: RecipeTools = {
      workspace,
      queue,
      recipes: new Map(recipes.map((recipe) => [recipe.name, recipe])),
      carriers,
      ledger,
      lanes,
      policies,
      digests,
      periods: createPeriodSource(meetings, digests),
      alertGate,
      keyWatch,
      gate: createServiceGate(createCircuit(serviceCircuit, random), clock),
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
