import type { ClientOptions } from '@aftermeet/client';
import type { Command } from 'commander';

import type { Environment } from './settings/settings.ts';
import type { Question } from './terminal/ask.ts';
import { createPaint, type TableView } from './terminal/format.ts';
import { wrapText } from './terminal/wrap.ts';

/** SIGINT or SIGTERM, for a clean stop. */
export interface StopSignal {
  /** Resolves when the process is asked to stop; does not keep it alive. */
  readonly asked: Promise<void>;
  /** Aborts at the same moment. */
  readonly signal: AbortSignal;
  /** Resolves at the same moment and keeps the process alive until then, even if its queue is away. */
  readonly wait: () => Promise<void>;
  /** Asks to stop as SIGTERM does; never forces a stop that has begun. */
  readonly ask: () => void;
  /** The exit code that shells expect of a command ended by this signal. */
  readonly exitCode: () => number;
  /** Stops catching signals, and calls off the forced end. */
  readonly disarm: () => void;
}

/** What a command gets from the process. The optional parts are absent where no person is at a terminal. */
export interface Context {
  readonly environment: Environment;
  /** A file with variables that the environment does not have, such as `.env`. */
  readonly envFile?: string;
  /** Results, for people or (with `--json`) for machines. */
  readonly write: (text: string) => void;
  /** Binary results. Resolves when there is room for more; rejects when the process is asked to stop first. */
  readonly writeBytes?: (bytes: Uint8Array) => Promise<void>;
  /** Errors and progress, for people. */
  readonly writeError: (text: string) => void;
  /** Whether results go to a terminal. */
  readonly isTerminal: boolean;
  /** Whether errors and progress go to a terminal. */
  readonly isErrorTerminal?: boolean;
  /** The terminal's current width; undefined where there is none. */
  readonly columns?: () => number | undefined;
  /** Piped input; undefined at a terminal. */
  readonly openInput?: () => AsyncIterable<Uint8Array> | undefined;
  /** Asks the person at the terminal; undefined: no answer. Absent without a terminal. */
  readonly ask?: ((question: Question) => Promise<string | undefined>) | undefined;
  /** Unix milliseconds. */
  readonly clock?: () => number;
  /** Options of the service's client in addition to the settings. */
  readonly client?: Pick<ClientOptions, 'fetch' | 'retries' | 'timeoutMs' | 'wait' | 'random'>;
  /** Catches the signals that ask to stop. */
  readonly armStop?: (forceAfterMs: number) => StopSignal;
}

/** The same within a command line. The environment has the variables of the file too. */
export interface CommandContext extends Context {
  /** The variables that are only in the file. */
  readonly fromEnvFile: ReadonlySet<string>;
  /** Results that a program reads without `--json`, such as a schema: never wrapped. */
  readonly writeData: (text: string) => void;
  /** Sets the exit code of a command that does not throw. */
  readonly finish: (code: number) => void;
  /** The settings file named by `--config`. */
  readonly configPath: () => string | undefined;
  /** The profile named by `--profile`. */
  readonly profile: () => string | undefined;
  /** `--dev`: operator commands look at the store of `aftermeet dev`. */
  readonly isDev: () => boolean;
  /** Runs another command line. */
  readonly run: (words: readonly string[], context: Context) => Promise<number>;
}

/** Adds a command, with its options and what it does, to the program or to a group. */
export type AddCommand = (program: Command, context: CommandContext) => void;

/** Prints that a process is up: one JSON line for machines, or one fact a line for people. */
export function announce(
  { write }: Context,
  asJson: boolean,
  facts: Readonly<Record<string, string | number>>,
): void {
  if (asJson) {
    write(`${JSON.stringify(facts)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  for (const [name, value] of Object.entries(facts)) write(`${name.padEnd(width)}  ${value}\n`);
}

/** How tables are printed: to the width of the terminal; in a pipe nothing is cut. */
export function tableView(context: Context): TableView {
  const { isTerminal, columns } = context;
  return { width: isTerminal ? columns?.() : undefined, paint: createPaint(context) };
}

/** The same context, which wraps what is printed on a terminal at words. JSON stays as it is. */
export function wrapOutput<Given extends Context>(context: Given, asJson: boolean): Given {
  const { write, writeError, isTerminal, isErrorTerminal = false, columns } = context;
  const wrap =
    (print: Context['write']): Context['write'] =>
    (text) => {
      const width = columns?.();
      print(width === undefined ? text : wrapText(text, width));
    };
  return {
    ...context,
    write: isTerminal && !asJson ? wrap(write) : write,
    writeError: isErrorTerminal && !asJson ? wrap(writeError) : writeError,
  };
}
