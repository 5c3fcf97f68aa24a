/** SIGINT or SIGTERM, for a clean end. */
export interface StopSignal {
  /** Resolves when the process is asked to stop; keeps nobody waiting. */
  readonly asked: Promise<void>;
  /** The same, and keeps the process alive until then: a receiver whose queue is away still must stay. */
  readonly wait: () => Promise<void>;
}

/**
 * Catches the first SIGINT or SIGTERM from now on, so that one that comes during the start also ends in a
 * clean close. A second one, or `forceAfterMs`, ends the process at once: whoever asks twice means it.
 */
export function armStopSignal(forceAfterMs: number): StopSignal {
  const asked = new Promise<void>((resolve) => {
    const stop = (): void => {
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      process.once('SIGINT', () => process.exit(130));
      process.once('SIGTERM', () => process.exit(143));
      // Not `exit`: it waits for the log to be written, and perhaps nobody reads it any more.
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), forceAfterMs).unref();
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
  return {
    asked,
    wait: async () => {
      // Signal listeners alone do not keep a process alive.
      const keepAlive = setInterval(() => {}, 60_000);
      await asked;
      clearInterval(keepAlive);
    },
  };
}
