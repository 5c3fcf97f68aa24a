import type { Log } from '@aftermeet/queue';

/** A pause of everything that needs the service's API key. */
export interface ServicePause {
  /** Milliseconds that are left of the pause; 0 when there is none. */
  leftMs(): number;
  /** The service refused the key: starts a pause, and says so once for each pause. */
  start(): number;
}

const pauseMs = 30_000;

/** A refused key is no fault of the meeting: its effects wait until somebody has set the new key. */
export function createServicePause(log: Log, clock: () => number): ServicePause {
  let untilMs = 0;
  const leftMs = (): number => Math.max(untilMs - clock(), 0);
  return {
    leftMs,
    start() {
      if (leftMs() > 0) return leftMs();
      untilMs = clock() + pauseMs;
      log.error(
        { pauseMs },
        'the service refused the API key (401): nothing is lost, reports are fetched again as soon as the ' +
          'key is right. Take the current key from the workspace settings, set SERVICE_API_KEY and restart the worker.',
      );
      return pauseMs;
    },
  };
}
