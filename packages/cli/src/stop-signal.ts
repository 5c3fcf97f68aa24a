import { EXIT_INTERRUPTED, EXIT_TERMINATED } from './exit-codes.ts';

/** SIGINT or SIGTERM, for a clean end. */
export interface StopSignal {
  /** Resolves when the process is asked to stop; keeps nobody waiting. */
  readonly asked: Promise<void>;
  /** Aborts at the same moment, for what can be called off. */
  readonly signal: AbortSignal;
  /** The same, and keeps the process alive until then: a receiver whose queue is away still must stay. */
  readonly wait: () => Promise<void>;
  /** The same as SIGTERM; whoever was asked to stop already stops no sooner for it. */
  readonly ask: () => void;
  /** What a shell expects of a command that ended on this signal. */
  readonly exitCode: () => number;
  /** Catches no signal any more, and lets a process that was asked to stop live. */
  readonly disarm: () => void;
}

/** A terminal's Ctrl-C reaches the whole process group, and npm or a supervisor hands it on besides: that is one wish. */
const SAME_WISH_MS = 500;

/**
 * Catches the first SIGINT or SIGTERM from now on, so that one that comes during the start also ends in a
 * clean close. A second one, or `forceAfterMs`, ends the process at once: whoever asks twice means it.
 */
export function armStopSignal(
  forceAfterMs: number,
  nowMs: () => number = () => performance.now(),
): StopSignal {
  const controller = new AbortController();
  let exitCode = EXIT_INTERRUPTED;
  let askedAtMs = 0;
  let force: NodeJS.Timeout | undefined;
  const interrupt = (): void => stop(EXIT_INTERRUPTED);
  const terminate = (): void => stop(EXIT_TERMINATED);
  const stop = (code: number): void => {
    if (controller.signal.aborted) {
      if (nowMs() - askedAtMs >= SAME_WISH_MS) process.exit(code);
      return;
    }
    askedAtMs = nowMs();
    exitCode = code;
    // Not `exit`: it waits for the log to be written, and perhaps nobody reads it any more.
    force = setTimeout(() => process.kill(process.pid, 'SIGKILL'), forceAfterMs).unref();
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', terminate);
  const asked = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return {
    asked,
    signal: controller.signal,
    wait: async () => {
      // Signal listeners alone do not keep a process alive.
      const keepAlive = setInterval(() => {}, 60_000);
      await asked;
      clearInterval(keepAlive);
    },
    ask: () => {
      if (!controller.signal.aborted) terminate();
    },
    exitCode: () => exitCode,
    disarm: () => {
      process.removeListener('SIGINT', interrupt);
      process.removeListener('SIGTERM', terminate);
      clearTimeout(force);
    },
  };
}
