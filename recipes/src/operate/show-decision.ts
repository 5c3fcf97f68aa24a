import type { Log } from '@aftermeet/queue';

import type { SlackApprovalCalls } from '../destinations/slack/approval-calls.ts';
import { parseReference } from '../destinations/slack/message.ts';
import type { ApprovalOutcome } from './approvals.ts';
import type { OperatorTools } from './operator-tools.ts';

export type ShowDecisionTools = Pick<OperatorTools, 'takeRequests' | 'ledger' | 'clock'> & {
  readonly slack: Pick<SlackApprovalCalls, 'showAnswer'>;
  readonly log: Log;
};

interface Decision {
  readonly effectKey: string;
  readonly sentence: string;
  /** A request that shows it already. */
  readonly shownAt?: { readonly channel: string; readonly ts: string };
  /** Of Slack. */
  readonly userId?: string;
}

/**
 * Takes the buttons off every request in Slack for an effect that a person has decided about, wherever they did, and says what
 * became of it. Never throws: the decision stands.
 */
export async function showDecision(
  { effectKey, sentence, shownAt, userId }: Decision,
  { takeRequests, ledger, clock, slack, log }: ShowDecisionTools,
): Promise<void> {
  try {
    for (const { requestKey, record } of await takeRequests(effectKey)) {
      const request = record.destination === 'slack' ? await ledger.read(requestKey, clock()) : undefined;
      const place = parseReference(request?.reference ?? '');
      if (place === undefined || place.ts === shownAt?.ts) continue;
      const failure = await slack.showAnswer(place, record, sentence, userId);
      if (failure !== undefined) log.warn({ effectKey, error: failure }, NOT_SHOWN);
    }
  } catch (error) {
    log.warn({ effectKey, error: error instanceof Error ? error.name : 'unknown' }, NOT_SHOWN);
  }
}

const NOT_SHOWN = 'what was decided could not be shown at its request in Slack';

/** What a person decided, for those who were asked. `changed`: the fields of the mail that they changed. */
export function describeDecision(outcome: ApprovalOutcome, changed: readonly string[] = []): string {
  if (outcome.kind === 'discarded') return 'Discarded: it is never sent.';
  if (outcome.kind === 'not_held') return `It does not wait for approval any more: it is ${outcome.state}.`;
  if (outcome.retried === 'job_gone')
    return 'Approved, but it cannot be sent: its job is not stored any more.';
  const what = nameChanged(changed);
  return what === '' ? 'Approved: it is sent.' : `Approved with another ${what}: it is sent.`;
}

/** The fields of a mail that a person changed: `recipient and subject`. */
export function nameChanged(fields: readonly string[]): string {
  return fields.map((field) => (field === 'to' ? 'recipient' : field)).join(' and ');
}
