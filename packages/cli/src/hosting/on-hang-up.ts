import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

export interface HangUpHandlers {
  /** Somebody sent SIGHUP, as one asks a server to read its settings anew. */
  readonly reload: () => void;
  /** The terminal was closed. */
  readonly stop: () => void;
}

/** The terminal of this process. */
export interface Terminal {
  /** Something is read from it or written to it. `nohup` sees to it that nothing is. */
  readonly isUsed: () => boolean;
  readonly isThere: () => boolean;
}

/**
 * SIGHUP means two things: the settings are to be read anew, and the terminal is gone. A process that used one at the
 * start and has none now stops, as it would without us; under `nohup` it stays. Returns what ends the listening.
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

const ownTerminal: Terminal = {
  isUsed: () => [0, 1, 2].some((stream) => isatty(stream)),
  /** The system opens /dev/tty only for who has a terminal, and it is not there on Windows. */
  isThere: () => {
    try {
      closeSync(openSync('/dev/tty', 'r'));
      return true;
    } catch {
      return process.platform === 'win32' && isatty(0);
    }
  },
};
