import type { Log } from '@aftermeet/queue';

import { endWithin } from './store/end-within.ts';

interface Sweepable {
  sweep(nowMs: number): Promise<void>;
}

const everyMs = 60 * 60 * 1000;
const closeWithinMs = 1000;

/** Lets stores forget what is past its time: now, and every hour. */
export function keepSwept(
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
