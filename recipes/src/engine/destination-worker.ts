import {
  type Backend,
  type EffectJob,
  type FailedJob,
  type JobWorker,
  startJobWorker,
} from '@aftermeet/queue';

import { limitConcurrency, createCircuit, withCircuitBreaker } from './circuit-breaker.ts';
import { deliverEffect, type DeliveryTools } from './deliver.ts';
import { recordOutcome } from './record-outcome.ts';

/** How often a destination that refuses our token or login is tried. */
const TRY_EVERY_MS = 30_000;

/**
 * Delivers the effects of one destination. They have a queue and a concurrency of their own, so that a destination that
 * is slow, limited or down delays no other; while its circuit is open, its jobs stay in their queue.
 */
export function runDestination(backend: Backend, destination: string, tools: DeliveryTools): JobWorker {
  const { clock, random, log } = tools;
  const policy = tools.policies.of(destination);
  const circuit = createCircuit(policy.circuit, random);
  let reopening: NodeJS.Timeout | undefined;
  let concurrency = policy.concurrency;
  let observed: 'closed' | 'open' | 'refused' = 'closed';
  const follow = ({ isRefused = false } = {}): void => {
    const state = circuit.readState(clock());
    // A try in between says nothing before its answer.
    const stays = observed === 'refused' ? 'refused' : 'open';
    const shown = isRefused ? 'refused' : state.kind === 'closed' ? 'closed' : stays;
    if (shown !== observed) tools.observe({ kind: 'circuit_changed', destination, state: shown });
    observed = shown;
    clearTimeout(reopening);
    if (state.kind === 'open') reopening = setTimeout(() => follow(), state.forMs).unref();
    const isPaused = tools.handPauses.isPaused('destination', destination);
    const wanted = isPaused ? 0 : limitConcurrency(state, policy.concurrency);
    if (wanted === concurrency) return;
    concurrency = wanted;
    worker.setConcurrency(concurrency);
    // A refusal has a log line of its own.
    if (state.kind !== 'open' || isRefused) return;
    log.warn(
      { destination, retryInMs: state.forMs },
      'the destination does not answer: nothing is sent to it for a while',
    );
  };
  const pause = tools.pauses(destination);
  const connectors = withCircuitBreaker(tools.connectors, () => {
    const mark = circuit.begin(clock());
    return {
      answered: () => {
        circuit.succeeded(mark);
        follow();
        // If the store is away, the next answer records it.
        void pause.accepted(clock()).catch(() => undefined);
      },
      refused: async (cause) => {
        circuit.pause(TRY_EVERY_MS, clock());
        follow({ isRefused: true });
        // Without the store the next refusal raises the alert.
        const refusal = await pause.refused(clock()).catch(() => undefined);
        if (refusal?.isFirst === true) await tools.onPaused(destination, cause, refusal.episode);
      },
      stayedSilent: () => {
        circuit.failed(mark, clock());
        follow();
      },
    };
  });
  const own = { ...tools, connectors };
  const worker = startJobWorker(backend, 'effect', (job) => deliverEffect(job, own), {
    destination,
    concurrency,
    log,
    onFailed: (failed) => recordFailedJob(failed, destination, tools),
  });
  follow();
  tools.handPauses.watch(() => follow());
  return {
    setConcurrency: worker.setConcurrency,
    close: async () => {
      clearTimeout(reopening);
      await worker.close();
    },
  };
}

/** Records a job that failed without an outcome: its data cannot be read, or the outcome could not be stored. */
export async function recordFailedJob(
  { id, data, cause, attempt }: FailedJob<'effect'>,
  destination: string,
  tools: DeliveryTools,
): Promise<void> {
  const { ledger, clock, log } = tools;
  const job = data ?? writeUnreadableJob(id, destination, clock());
  try {
    const known = await ledger.read(job.effectKey, clock());
    const isOpen = known === undefined || ['pending', 'sending', 'unknown'].includes(known.state);
    if (!isOpen) return;
    const task = { id, data: job, attempt, startedTimes: 1, maxAttempts: attempt, dueAtMs: clock() };
    await recordOutcome({ kind: 'end', state: 'failed', cause }, task, tools);
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown';
    log.error(
      { effectKey: job.effectKey, destination, error: name },
      'a failed effect could not be recorded',
    );
  }
}

/** The id of a job is the key of its effect. */
function writeUnreadableJob(effectKey: string, destination: string, nowMs: number): EffectJob {
  const at = new Date(nowMs).toISOString();
  const event = { kind: 'unknown', meetingId: '', occurrence: at, endpoint: 'default', receivedAt: at };
  return { effectKey, destination, recipe: 'unknown', target: '', part: 0, event };
}
