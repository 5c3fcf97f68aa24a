import { findStoreCause, type Inbox, type Log, type StoreCause } from '@aftermeet/queue';

import type { Endpoints } from './endpoints.ts';
import { createLogThrottle, errorName } from './logging.ts';

/** The answer of `GET /readyz`; 200 when it is `ready`, else 503. */
export interface Readiness {
  readonly status: 'ready' | 'queue_unavailable' | 'closing';
  /** Why, where the store says so. */
  readonly cause?: StoreCause | undefined;
  /** How many are served, not which: the names are for operators, in a metric. */
  readonly endpoints?: number;
}

/** Checks whether the store accepts writes. Concurrent requests share one ping, which takes at most a second. */
export function createReadyCheck({
  inbox,
  endpoints,
  isClosing,
  log,
  nowMs,
}: {
  readonly inbox: Pick<Inbox, 'ping'>;
  readonly endpoints: Endpoints;
  readonly isClosing: () => boolean;
  readonly log: Log;
  readonly nowMs: () => number;
}): () => Promise<Readiness> {
  let checking: Promise<Readiness> | undefined;
  let found: { readonly error: string; readonly cause: StoreCause | undefined } | undefined;
  const logUnavailable = createLogThrottle(
    (times) => log.warn({ ...found, times }, 'not ready: the queue is unavailable'),
    nowMs,
  );

  async function check(): Promise<Readiness> {
    const served = { endpoints: endpoints.byName.size };
    try {
      await inbox.ping();
      return { status: 'ready', ...served };
    } catch (error) {
      const cause = findStoreCause(error);
      found = { error: errorName(error), cause };
      logUnavailable();
      return { status: 'queue_unavailable', cause, ...served };
    } finally {
      checking = undefined;
    }
  }
  return () => (isClosing() ? Promise.resolve({ status: 'closing' }) : (checking ??= check()));
}
