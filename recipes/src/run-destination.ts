import {
  type Backend,
  type EffectDestination,
  type JobWorker,
  type Log,
  startJobWorker,
} from '@aftermeet/queue';

import { countPlaces, createCircuit } from './pace/circuit.ts';
import type { DeliveryPolicy } from './pace/policy.ts';
import type { RecipeTools } from './recipe-tools.ts';
import { runRecipe } from './run-recipe.ts';
import { watchCarriers } from './watch-carriers.ts';

export interface DestinationOptions {
  readonly backend: Backend;
  readonly destination: EffectDestination;
  readonly policy: DeliveryPolicy;
  readonly log: Log;
}

/**
 * Takes the effects of one destination. They have a queue and places of their own, so that a destination that is slow,
 * limited or down holds nobody else's; while its circuit is open, its jobs stay where they are.
 */
export function runDestination(
  { backend, destination, policy, log }: DestinationOptions,
  tools: RecipeTools,
): JobWorker {
  const { clock, random } = tools;
  const circuit = createCircuit(policy.circuit, random);
  let reopening: NodeJS.Timeout | undefined;
  let places = policy.places;
  const follow = (): void => {
    const state = circuit.readState(clock());
    clearTimeout(reopening);
    if (state.kind === 'open') reopening = setTimeout(follow, state.forMs).unref();
    const wanted = countPlaces(state, policy.places);
    if (wanted === places) return;
    places = wanted;
    worker.setPlaces(places);
    if (state.kind !== 'open') return;
    const { forMs } = state;
    log.warn({ destination, forMs }, 'the destination does not answer: nothing is sent to it for a while');
  };
  const carriers = watchCarriers(tools.carriers, () => {
    const mark = circuit.begin(clock());
    return {
      answered: () => {
        circuit.succeeded(mark);
        follow();
      },
      stayedSilent: () => {
        circuit.failed(mark, clock());
        follow();
      },
    };
  });
  const own = { ...tools, carriers };
  const worker = startJobWorker(backend, 'effect', (job) => runRecipe(job, own), {
    destination,
    concurrency: policy.places,
    log,
  });
  return {
    setPlaces: worker.setPlaces,
    close: async () => {
      clearTimeout(reopening);
      await worker.close();
    },
  };
}
