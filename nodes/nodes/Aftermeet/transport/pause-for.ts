import { sleep } from 'n8n-workflow';

import type { ServiceContext } from './service-context.ts';

/** How long an execution that was cancelled may go on waiting. */
const STEP_MS = 1000;

/** The signal with which n8n ends an execution, where there is one. */
export function findCancelSignal(context: ServiceContext): AbortSignal | undefined {
  return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Waits that end, with the reason, soon after the execution is cancelled. */
export function pauseFor(context: ServiceContext): (ms: number) => Promise<void> {
  const signal = findCancelSignal(context);
  return async (ms) => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      signal?.throwIfAborted();
      await sleep(Math.min(left, STEP_MS));
    }
    signal?.throwIfAborted();
  };
}
