import type { Inbox, Log } from '@aftermeet/queue';

import { errorName } from './error-name.ts';
import { createRareLine } from './rare-line.ts';

/** Balancers ask once in some seconds. Each of those who wait is a request that is held. */
const MAX_WAITING = 20;

type Readiness = 'ready' | 'queue_unavailable';

/**
 * Asks whether the store answers. Its inbox shares pings and gives up on one within a second; whoever comes while
 * many wait for that already is told at once that it does not.
 */
export function createReadyCheck(
  inbox: Pick<Inbox, 'ping'>,
  { log, nowMs }: { readonly log: Log; readonly nowMs: () => number },
): () => Promise<Readiness> {
  let waiting = 0;
  let cause = '';
  const tell = createRareLine(
    (times) => log.warn({ error: cause, times }, 'not ready: the queue is away'),
    nowMs,
  );
  return async () => {
    if (waiting >= MAX_WAITING) return 'queue_unavailable';
    waiting += 1;
    try {
      await inbox.ping();
      return 'ready';
    } catch (error) {
      cause = errorName(error);
      tell();
      return 'queue_unavailable';
    } finally {
      waiting -= 1;
    }
  };
}
