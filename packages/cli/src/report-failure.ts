import { CommanderError } from 'commander';

import type { Context } from './context.ts';
import { EXIT_FAILED, EXIT_OK, EXIT_WRONG_USE } from './exit-codes.ts';
import { Failure, type FailureFacts } from './failure.ts';
import { cleanText } from './terminal/clean-text.ts';
import { formatJson } from './terminal/format-json.ts';
import { WrongUse } from './wrong-use.ts';

const GONE = 'The current folder does not exist any more (ENOENT).';

/** Whether the words ask for JSON, also where they can't be understood otherwise. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

/** Says what ended a command, for people or as one JSON object, and returns the exit code. */
export async function reportFailure(error: unknown, context: Context, asJson: boolean): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_OK;
    // For people commander has said it already.
    if (asJson) context.writeError(formatFailure(wrongUse(error.message.replace(/^error: /, ''))));
    return EXIT_WRONG_USE;
  }
  if (error instanceof WrongUse) {
    context.writeError(asJson ? formatFailure(wrongUse(error.message.trim())) : cleanText(error.message));
    return EXIT_WRONG_USE;
  }
  const facts = error instanceof Failure ? error.facts : await describeUnexpected(error);
  if (asJson) context.writeError(formatFailure(facts));
  else
    context.writeError(
      cleanText(`${facts.message}\n${facts.advice === undefined ? '' : `${facts.advice}\n`}`),
    );
  return facts.exitCode;
}

/** Whether somebody asked for the current folder (`process.cwd()`), and it was deleted. */
export function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

function wrongUse(message: string): FailureFacts {
  return { exitCode: EXIT_WRONG_USE, code: 'wrong_use', message };
}

async function describeUnexpected(error: unknown): Promise<FailureFacts> {
  const failed = { exitCode: EXIT_FAILED, code: 'failed' };
  if (isFolderGone(error)) return { ...failed, message: GONE, advice: 'Change to a folder that exists.' };
  // Loaded here only: it brings the queue with it.
  const describe = await import('@aftermeet/queue').then(
    ({ describeError }) => describeError,
    // What keeps it from being loaded is most likely what is to be described.
    () => String,
  );
  return { ...failed, message: `aftermeet failed: ${describe(error)}` };
}

function formatFailure({ code, status, message, doing, retryable = false, advice }: FailureFacts): string {
  return formatJson({ error: { code, status, message, doing, retryable, advice } }, { oneLine: true });
}
