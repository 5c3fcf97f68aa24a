import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

import type { StopSignal } from '../context.ts';
import { EXIT_INTERRUPTED, EXIT_TERMINATED } from '../errors.ts';

/** A Ctrl-C reaches the whole process group, and npm or a supervisor forwards it: signals this close are one request. */
const SAME_REQUEST_MS = 500;

/**
 * Catches SIGINT and SIGTERM from now on, so that one during the start also leads to a clean stop. A second signal,
 * or `forceAfterMs` without an end, ends the process at once.
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
      if (nowMs() - askedAtMs >= SAME_REQUEST_MS) process.exit(code);
      return;
    }
    askedAtMs = nowMs();
    exitCode = code;
    // `exit` would wait for the log to be written, and its reader may be gone.
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

interface HangUpHandlers {
  /** SIGHUP was sent to reload the settings. */
  readonly reload: () => void;
  /** The terminal was closed. */
  readonly stop: () => void;
}

/** The terminal of this process. */
export interface Terminal {
  /** Whether one of the standard streams is the terminal; `nohup` redirects all of them. */
  readonly isUsed: () => boolean;
  readonly isThere: () => boolean;
}

/**
 * SIGHUP means either that the settings are to be reloaded or that the terminal is gone. A process that had a terminal
 * at the start and has none now stops; under `nohup` it stays. Returns a function that stops listening.
 */
export function onHangUp({ reload, stop }: HangUpHandlers, terminal: Terminal = ownTerminal): () => void {
  const hadTerminal = terminal.isUsed() && terminal.isThere();
  const handle = (): void => {
    if (hadTerminal && !terminal.isThere()) stop();
    else reload();
  };
  process.on('SIGHUP', handle);
  return () => {
    process.removeListener('SIGHUP', handle);
  };
}

/**
 * For a process that reads its settings only at its start, until it is closed: SIGHUP is answered with a line, and a closed
 * terminal stops the process.
 */
export function ignoreHangUp(
  say: (text: string) => void,
  { ask }: Pick<StopSignal, 'ask'>,
): { readonly close: () => Promise<void> } {
  const ignore = (): void => say('SIGHUP ignored: this process reads its settings only when it starts');
  const forget = onHangUp({ reload: ignore, stop: ask });
  return { close: async () => forget() };
}

const ownTerminal: Terminal = {
  isUsed: () => [0, 1, 2].some((stream) => isatty(stream)),
  /** /dev/tty opens only in a process that has a terminal; Windows has no such file. */
  isThere: () => {
    try {
      closeSync(openSync('/dev/tty', 'r'));
      return true;
    } catch {
      return process.platform === 'win32' && isatty(0);
    }
  },
};
