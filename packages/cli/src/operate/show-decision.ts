import type { Log } from '@aftermeet/queue';
import type { ApprovalOutcome, OperatorTools, SlackSettings } from '@aftermeet/recipes';

interface Decided {
  readonly effectKey: string;
  readonly outcome: ApprovalOutcome;
  /** By what it was decided: `the console (Anna Berg)`. */
  readonly who: string;
  /** The fields of the mail that were changed. */
  readonly changed?: readonly string[];
}

interface Tools extends Pick<OperatorTools, 'takeRequests' | 'ledger' | 'clock'> {
  /** Absent: the settings have no Slack, so none of its messages can be changed. */
  readonly slack: SlackSettings | undefined;
  readonly log: Log;
}

/** Shows at the requests in Slack what was decided outside of Slack, and by whom. */
export async function showDecisionInSlack(
  { effectKey, outcome, who, changed }: Decided,
  { slack, ...tools }: Tools,
): Promise<void> {
  if (slack === undefined || outcome.kind === 'not_held') return;
  const { describeDecision, openSlackApprovalCalls, showDecision } = await import('@aftermeet/recipes');
  const sentence = `${describeDecision(outcome, changed)} By ${who}.`;
  await showDecision({ effectKey, sentence }, { ...tools, slack: openSlackApprovalCalls(slack) });
}
