import {
  findEffect,
  type LedgerEntry,
  listEffects,
  type RetryOutcome,
  retryEffect,
} from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { formatJson } from '../terminal/format-json.ts';
import { WrongUse } from '../wrong-use.ts';
import { shortenId } from './delivery-view.ts';
import { describeRetry } from './describe-retry.ts';
import { effectKind, explainNotFound } from './find-named.ts';
import { type Operator, type OperatorOptions, withOperator } from './with-operator.ts';

export interface RetryCommandOptions extends OperatorOptions {
  readonly failed?: boolean;
  readonly recipe?: string;
  readonly meeting?: string;
}

interface Retried {
  readonly effectKey: string;
  readonly recipe: string;
  readonly destination: string;
  readonly outcome: RetryOutcome;
}

/** What `aftermeet effects retry` does. */
export async function retryEffects(
  context: Context,
  names: readonly string[],
  options: RetryCommandOptions,
  finish: (code: number) => void,
): Promise<void> {
  const { failed = false, recipe, meeting, json = false } = options;
  if (names.length > 0 === failed || (!failed && (recipe !== undefined || meeting !== undefined))) {
    throw new WrongUse('Name the effects, or take all that have failed: --failed, perhaps with --recipe.\n');
  }
  const retried: Retried[] = [];
  const problems = await withOperator(context, options, async (operator) => {
    const { entries, problems: found } = await listEntries(names, options, operator);
    for (const entry of entries) {
      const { effectKey, destination } = entry;
      const outcome = await retryEffect(entry, operator);
      retried.push({ effectKey, recipe: entry.recipe, destination, outcome });
      const label = `${shortenId(effectKey)}  ${entry.recipe}  ${destination}`;
      if (!json) context.write(`${label}  ${describeRetry(outcome)}\n`);
    }
    return found;
  });
  for (const problem of problems) context.writeError(`${problem}\n`);
  if (problems.length > 0 || retried.some(({ outcome }) => outcome === 'job_gone')) finish(EXIT_FAILED);
  if (json) context.write(formatJson(retried));
  else if (retried.length === 0 && problems.length === 0) context.write('No effect has failed.\n');
}

async function listEntries(
  names: readonly string[],
  { recipe, meeting }: RetryCommandOptions,
  operator: Operator,
): Promise<{ readonly entries: readonly LedgerEntry[]; readonly problems: readonly string[] }> {
  const entries: LedgerEntry[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const found = await findEffect(name, operator);
    if (found.kind === 'found') entries.push(found.value);
    else problems.push(explainNotFound(name, found, effectKind));
  }
  if (names.length > 0) return { entries, problems };
  const selection = {
    states: ['failed'] as const,
    ...(recipe === undefined ? {} : { recipe }),
    ...(meeting === undefined ? {} : { meetingId: meeting }),
  };
  // All of them first: those that are tried again leave the list that is read.
  for await (const entry of listEffects(selection, operator.ledger)) entries.push(entry);
  return { entries, problems };
}
