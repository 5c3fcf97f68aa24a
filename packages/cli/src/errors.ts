import type { ServiceErrorCode } from '@aftermeet/client';
import { CommanderError } from 'commander';

import type { Context } from './context.ts';
import { hideInProblem } from './settings/hide-secrets.ts';
import { formatJson } from './terminal/format.ts';
import { cleanText } from './terminal/text.ts';

export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
export const EXIT_WRONG_USE = 2;
/** The report or the meeting is not ready yet, or was not by the end of a wait. */
export const EXIT_NOT_READY = 3;
/** The service refuses the key, or what the plan of its workspace does not include. */
export const EXIT_KEY_REFUSED = 4;
/** All of them, as help and docs list them. */
export const EXIT_CODES =
  '0 ok, 1 failed, 2 usage error, 3 not ready yet or timed out waiting, 4 key refused, 130 stopped by Ctrl-C';
/** What shells report after Ctrl-C. */
export const EXIT_INTERRUPTED = 130;
/** What shells report after SIGTERM. */
export const EXIT_TERMINATED = 143;

/**
 * Why a command failed, as a word: one of the client's, also for what is no service, or one of three more. `wrong_use`: the
 * command line or the settings; `no_report`: the meeting failed or was cancelled; `failed`: anything else.
 */
export type FailureCode = ServiceErrorCode | 'wrong_use' | 'no_report' | 'failed';

/** Why a command failed, and what to do about it. */
export interface FailureFacts {
  readonly exitCode: number;
  /** A word for machines. */
  readonly code: FailureCode;
  /** One or more sentences for people, without secrets. */
  readonly message: string;
  /** What to do next, in full sentences. */
  readonly advice?: string;
  /** The status of the service's answer. */
  readonly status?: number;
  /** Id, method and path of the operation. */
  readonly operation?: string;
  /** Whether the same command may succeed later. */
  readonly retryable?: boolean;
}

/** Ends a command with an explanation instead of a stack trace. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts) {
    super(facts.message);
    this.facts = facts;
  }
}

/** Ends a command with exit code 2; the message says what to change. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** A setting that can't be used: which, what was found (never a secret), and what is expected. */
export interface SettingProblem {
  readonly setting: string;
  readonly found: string;
  readonly expected: string;
}

export function formatProblem(problem: SettingProblem): string {
  const { setting, found, expected } = hideInProblem(problem);
  return `${setting}: found ${found}; expected ${expected}`;
}

/** Lists every problem on a line of its own; `advice` is whole lines to print after them. */
export function wrongSettings(problems: readonly SettingProblem[], advice = ''): WrongUse {
  return new WrongUse(
    `These settings can't be used:\n\n${problems.map(formatProblem).join('\n')}\n${advice}`,
  );
}

/** The system's code of an error, such as `ENOENT`. */
export function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Whether the words ask for JSON, even if they can't be parsed otherwise. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

/** Prints what ended a command, for people or as one JSON object, and returns the exit code. */
export async function reportFailure(error: unknown, context: Context, asJson: boolean): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_OK;
    // Commander has printed it for people.
    if (asJson) context.writeError(formatFailure(toWrongUse(error.message.replace(/^error: /, ''))));
    return EXIT_WRONG_USE;
  }
  if (error instanceof WrongUse) {
    context.writeError(asJson ? formatFailure(toWrongUse(error.message.trim())) : cleanText(error.message));
    return EXIT_WRONG_USE;
  }
  const facts = error instanceof Failure ? error.facts : await describeUnexpected(error);
  const advice = facts.advice === undefined ? '' : `${facts.advice}\n`;
  context.writeError(asJson ? formatFailure(facts) : cleanText(`${facts.message}\n${advice}`));
  return facts.exitCode;
}

/** Whether the current folder was asked for (`process.cwd()`) and has been deleted. */
export function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

function toWrongUse(message: string): FailureFacts {
  return { exitCode: EXIT_WRONG_USE, code: 'wrong_use', message };
}

async function describeUnexpected(error: unknown): Promise<FailureFacts> {
  const failed = { exitCode: EXIT_FAILED, code: 'failed' as const };
  if (isFolderGone(error)) {
    const message = 'The current folder does not exist any more (ENOENT).';
    return { ...failed, message, advice: 'Change to a folder that exists.' };
  }
  // Imported here only: it loads the queue.
  const describe = await import('@aftermeet/queue').then(
    ({ describeError }) => describeError,
    // The import probably fails for the reason that is to be described.
    () => String,
  );
  return { ...failed, message: `aftermeet failed: ${describe(error)}` };
}

function formatFailure({ exitCode: _exitCode, retryable = false, ...facts }: FailureFacts): string {
  return formatJson({ error: { ...facts, retryable } }, { oneLine: true });
}
