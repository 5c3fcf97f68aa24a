import cluster from 'node:cluster';

import { openPromise } from './open-promise.ts';

export interface ProcessStop {
  /** Resolves when the process is to stop. */
  readonly asked: Promise<undefined>;
  readonly ask: () => void;
  /** Lets go of the primary, which is all that keeps the process alive by then. */
  readonly leave: () => void;
}

/**
 * Stops a process that the primary started, in good order: when the primary says so, on a signal, and when the primary
 * is gone. Ctrl-C reaches all of them, the primary's word comes on top: asking twice is no impatience here. Whatever
 * does not end within `forceAfterMs` is killed.
 */
export function armProcessStop(forceAfterMs: number): ProcessStop {
  const stop = openPromise<undefined>();
  const ask = (): void => {
    // Not `exit`: it waits for the log to be written, and perhaps nobody reads it any more.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), forceAfterMs).unref();
    stop.resolve(undefined);
  };
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  // The primary's business: it tells everybody.
  process.on('SIGHUP', () => {});
  // Before node:cluster hears of it, which would end the process in the middle of its answers.
  process.prependListener('disconnect', () => {
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
    ask();
  });
  return {
    asked: stop.promise,
    ask,
    leave: () => {
      if (process.connected) cluster.worker?.disconnect();
    },
  };
}
