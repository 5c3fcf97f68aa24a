import type { ConsoleAction, EffectAction } from '@aftermeet/receiver';
import type {
  ApprovalOutcome,
  ConfiguredRecipe,
  Destinations,
  LedgerEntry,
  MeetingEffect,
  OperatorTools,
  PlanDelivery,
  RecallOutcome,
} from '@aftermeet/recipes';

import { describeOutcome, EDIT_EXPECTED } from '../operate/outcome-words.ts';
import { cleanLine } from '../terminal/text.ts';

/** Does what a person asks for in the console. Answers with a sentence for them. */
export async function carryOut(
  action: ConsoleAction,
  entry: LedgerEntry,
  operator: OperatorTools & {
    readonly plan: PlanDelivery | undefined;
    readonly destinations: Destinations;
    readonly recipes: readonly ConfiguredRecipe[];
  },
  show: (decided: {
    readonly outcome: ApprovalOutcome;
    readonly changed?: readonly string[];
  }) => Promise<void>,
): Promise<string> {
  const { approveEffect, discardEffect, nameChanged, readMailEdit, resendEffect, retryEffect, settleEffect } =
    await import('@aftermeet/recipes');
  switch (action.kind) {
    case 'approve': {
      const { contentHash, fields, draft } = action;
      const read = readMailEdit(fields, draft);
      if (!read.ok)
        return `nothing is sent: its ${nameChanged([read.wrong])} has to be ${EDIT_EXPECTED[read.wrong]}`;
      const { edit } = read;
      const outcome = await approveEffect(entry, operator, { contentHash, edit });
      const changed = Object.keys(edit);
      await show({ outcome, changed });
      const words = describeOutcome.approval(outcome);
      return changed.length === 0 ? words : `with another ${nameChanged(changed)}, ${words}`;
    }
    case 'discard': {
      const outcome = await discardEffect(entry, operator);
      await show({ outcome });
      return describeOutcome.approval(outcome);
    }
    case 'dismiss': {
      const settled = await settleEffect(entry, 'dismissed', operator, cleanLine(action.reason));
      return settled.kind === 'settled'
        ? `it is dismissed: ${cleanLine(action.reason)}`
        : describeOutcome.settlement(settled);
    }
    case 'sent':
    case 'not-sent':
      return describeOutcome.settlement(
        await settleEffect(entry, action.kind === 'sent' ? 'sent' : 'not_sent', operator),
      );
    case 'recall': {
      const { listWithReplies, recallEffect } = await import('@aftermeet/recipes');
      let outcome: RecallOutcome = { kind: 'recalled' };
      for (const one of await listWithReplies(entry, operator)) outcome = await recallEffect(one, operator);
      return describeOutcome.recall(outcome);
    }
    case 'resend':
      return describeOutcome.resend(await resendEffect(entry, operator));
    case 'retry':
    default:
      return describeOutcome.retry(await retryEffect(entry, operator));
  }
}

/** What a person can do about an effect. The ledger's state is not known of one that no worker has started. */
export function listActions(
  state: LedgerEntry['state'] | undefined,
  verdict: MeetingEffect['verdict'],
  canRecall: boolean,
): readonly EffectAction[] {
  switch (verdict) {
    case 'held':
      return ['review'];
    case 'failed':
    case 'parked':
      return ['retry', 'sent', 'not-sent', 'dismiss'];
    case 'stranded':
      return state === 'unknown' ? ['retry', 'sent', 'not-sent', 'dismiss'] : ['retry'];
    case 'waiting':
      return ['retry'];
    case 'sent':
      return canRecall ? ['resend', 'recall'] : ['resend'];
    case 'recalled':
      return ['resend'];
    case 'skipped':
    case 'expanded':
    case 'under_way':
    case 'ended':
    case 'new':
    default:
      return [];
  }
}
