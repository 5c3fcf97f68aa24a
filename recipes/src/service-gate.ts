import type { Circuit } from './pace/circuit.ts';

/** One question to the service. */
export interface Passage {
  readonly kind: 'go';
  /** Whether the service has answered, whatever it said. */
  readonly leave: (hasAnswered: boolean) => void;
}

/**
 * Keeps a service that does not answer from holding every place of every destination for as long as a question may
 * take. For one worker process.
 */
export interface ServiceGate {
  enter(nowMs: number): Passage | { readonly kind: 'wait'; readonly forMs: number };
}

/** While one question tries whether the service answers again, the others look in again after this. */
const trialMs = 1000;

export function createServiceGate(circuit: Circuit, clock: () => number): ServiceGate {
  let isTried = false;
  return {
    enter(nowMs) {
      const state = circuit.readState(nowMs);
      if (state.kind === 'open') return { kind: 'wait', forMs: state.forMs };
      const isTrial = state.kind === 'half_open';
      if (isTrial && isTried) return { kind: 'wait', forMs: trialMs };
      isTried = isTrial;
      const mark = circuit.begin(nowMs);
      return {
        kind: 'go',
        leave: (hasAnswered) => {
          if (isTrial) isTried = false;
          if (hasAnswered) circuit.succeeded(mark);
          else circuit.failed(mark, clock());
        },
      };
    },
  };
}
