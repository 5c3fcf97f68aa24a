import type { ClientOptions } from '@aftermeet/client';

import type { Environment } from './settings/settings.ts';
import type { StopSignal } from './stop-signal.ts';

/** What a command gets from the process. What may be left out stands for a process that nobody looks at. */
export interface Context {
  readonly environment: Environment;
  /** Results, for people or with `--json` for machines. */
  readonly write: (text: string) => void;
  /** Results that are no text; resolves when there is room for more, rejects when the process is asked to stop before. */
  readonly writeBytes?: (bytes: Uint8Array) => Promise<void>;
  /** What went wrong, for people, and progress. */
  readonly writeError: (text: string) => void;
  /** Whether a person sees the results. */
  readonly isTerminal: boolean;
  /** Whether a person sees the errors and the progress. */
  readonly isErrorTerminal?: boolean;
  /** The terminal's width now; undefined where there is none. */
  readonly columns?: () => number | undefined;
  /** What is piped in; undefined at a terminal. */
  readonly openInput?: () => AsyncIterable<Uint8Array> | undefined;
  /** Unix milliseconds. */
  readonly clock?: () => number;
  /** What the client of the service is made with, beside the settings. */
  readonly client?: Pick<ClientOptions, 'fetch' | 'retries' | 'timeoutMs' | 'wait' | 'random'>;
  /** Catches the signals that ask to stop. */
  readonly armStop?: (forceAfterMs: number) => StopSignal;
}
