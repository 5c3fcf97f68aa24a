import { once } from 'node:events';
import { fstatSync, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Where the results of the process go. */
export interface Output {
  readonly write: (text: string) => void;
  /** Resolves when there is room for more. Rejects when the process is asked to stop first, or the output has failed. */
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>;
  /** Whether the reader has stopped reading a part that is still buffered: it would keep a stopped process alive. */
  readonly isStuck: () => boolean;
}

export interface OutputOptions {
  readonly stdout: Writable;
  /** A file is written synchronously: its stream writes once and drops what a full disk did not take. */
  readonly isFile: boolean;
  /** Aborts when the process is asked to stop; undefined while no signal is caught. */
  readonly stopSignal: () => AbortSignal | undefined;
  /**
   * Called once, when writing fails. `code` is the system's word. The process should then clean up and end: with 0
   * after `EPIPE` (`aftermeet … | head` is no fault), with 1 after anything else (a lost result is no success).
   */
  readonly onFailure: (code: string) => void;
}

const STDOUT = 1;

/** Whether the process's own stdout is a file. */
export function isStdoutFile(): boolean {
  return fstatSync(STDOUT).isFile();
}

/** Writes results. After the first failure everything else is dropped, so that a running command can still clean up. */
export function createOutput({ stdout, isFile, stopSignal, onFailure }: OutputOptions): Output {
  let hasFailed = false;
  const fail = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    onFailure(error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
  };
  stdout.on('error', fail);

  const send = (data: string | Uint8Array): boolean => {
    if (hasFailed) return true;
    if (!isFile) return stdout.write(data);
    try {
      writeFileSync(STDOUT, data);
    } catch (error) {
      fail(error);
    }
    return true;
  };

  return {
    write: (text) => {
      send(text);
    },
    async writeBytes(bytes) {
      if (hasFailed) throw new Error('The output is closed.');
      if (send(bytes)) return;
      const signal = stopSignal();
      await once(stdout, 'drain', signal === undefined ? {} : { signal });
    },
    isStuck: () => stopSignal()?.aborted === true && stdout.writableLength > 0,
  };
}
