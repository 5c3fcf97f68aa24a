import { findEffect, settleEffect } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { formatJson } from '../terminal/format-json.ts';
import { WrongUse } from '../wrong-use.ts';
import { shortenId } from './delivery-view.ts';
import { describeRetry } from './describe-retry.ts';
import { effectKind, requireFound } from './find-named.ts';
import { type OperatorOptions, withOperator } from './with-operator.ts';

export interface SettleCommandOptions extends OperatorOptions {
  readonly sent?: boolean;
  readonly notSent?: boolean;
}

/** What `aftermeet effects settle` does. */
export async function settleByHand(
  context: Context,
  name: string,
  options: SettleCommandOptions,
  finish: (code: number) => void,
): Promise<void> {
  const { sent = false, notSent = false, json = false } = options;
  if (sent === notSent) throw new WrongUse('Say what became of it: --sent or --not-sent.\n');
  const { effectKey, outcome } = await withOperator(context, options, async (operator) => {
    const entry = requireFound(name, await findEffect(name, operator), effectKind);
    const settled = await settleEffect(entry, sent ? 'sent' : 'not_sent', operator);
    return { effectKey: entry.effectKey, outcome: settled };
  });
  if (outcome.kind === 'not_open') {
    throw new Failure({
      exitCode: EXIT_FAILED,
      code: 'not_open',
      message: `The effect ${shortenId(effectKey)} is ${outcome.state}: only unknown, parked and failed ones are settled.`,
    });
  }
  const { retried } = outcome;
  if (retried === 'job_gone') finish(EXIT_FAILED);
  const state = sent ? 'sent' : 'pending';
  if (json) context.write(formatJson({ effectKey, state, retried }));
  else if (retried === undefined) context.write(`The effect ${shortenId(effectKey)} counts as sent.\n`);
  else
    context.write(`The effect ${shortenId(effectKey)} counts as not sent, and ${describeRetry(retried)}.\n`);
}
