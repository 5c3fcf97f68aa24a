import { once } from 'node:events';
import { fstatSync, writeFileSync } from 'node:fs';

/** Where the results of the process go. */
export interface Output {
  readonly write: (text: string) => void;
  /** Resolves when there is room for more; rejects when the process is asked to stop before that. */
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>;
  /** Whether the process was asked to stop and its reader does not read: what is left would keep it alive. */
  readonly isStuck: () => boolean;
}

const STDOUT = 1;

/**
 * The process's stdout. What can't be written is said on stderr and ends the process with 1, because a result
 * that nobody got must not look like a success; a reader that stops listening (`aftermeet --help | head`) is
 * no fault. `readStop` gives the signal that aborts at Ctrl-C, where one is armed.
 */
export function createOutput(readStop: () => AbortSignal | undefined): Output {
  const { stdout } = process;
  stdout.on('error', endWith);

  // The stream of a file writes once and forgets what a full disk did not take.
  const isFile = fstatSync(STDOUT).isFile();
  const send = (data: string | Uint8Array): boolean => {
    if (!isFile) return stdout.write(data);
    try {
      writeFileSync(STDOUT, data);
    } catch (error) {
      endWith(error);
    }
    return true;
  };

  return {
    write: (text) => {
      send(text);
    },
    async writeBytes(bytes) {
      if (send(bytes)) return;
      const signal = readStop();
      await once(stdout, 'drain', signal === undefined ? {} : { signal });
    },
    isStuck: () => readStop()?.aborted === true && stdout.writableLength > 0,
  };
}

function endWith(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`The output can't be written (${code}).\n`);
  process.exit(1);
}
