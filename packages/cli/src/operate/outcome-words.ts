import type {
  ApprovalOutcome,
  CancelOutcome,
  EffectVerdict,
  RecallOutcome,
  ResendOutcome,
  RetryOutcome,
  SettleOutcome,
} from '@aftermeet/recipes';

/** What came of cancelling an effect. */
export const CANCEL_WORDS: Readonly<Record<CancelOutcome, string>> = {
  cancelled: 'is cancelled',
  under_way: 'stays: a worker has it now',
  unclear: 'stays: an earlier attempt may have sent it, so its destination is asked first',
  ended: 'has ended meanwhile',
};

/** What a retry did with an effect: `it …`. */
export const RETRY_WORDS: Readonly<Record<RetryOutcome, string>> = {
  again: 'is tried again',
  planned_again: 'is planned again from its report, and tried if it is still part of it',
  moved: 'is sent to the present target of its recipe instead',
  waiting: 'waits for its slot',
  under_way: 'is under way',
  held: 'waits for approval',
  sent: 'was sent already',
  recalled: 'was taken back: aftermeet effects resend sends it again',
  job_gone: 'stays as it is: neither its job nor its delivery is stored any more, so its target is not known',
};

/** What came of sending an effect again: `it …`. */
export const RESEND_WORDS: Readonly<Record<ResendOutcome, string>> = {
  ...RETRY_WORDS,
  again: 'is sent again if its destination does not have it any more',
  not_sent: 'was not sent, so there is nothing to send again',
};

/** What came of taking an effect back: `it …`. */
export function describeRecall(outcome: RecallOutcome): string {
  switch (outcome.kind) {
    case 'recalled':
      return 'is taken back';
    case 'recalled_before':
      return 'was taken back before';
    case 'not_sent':
      return `was not sent, so there is nothing to take back: it is ${outcome.state}`;
    case 'impossible':
      return 'stays: its destination takes nothing back, such as a mail';
    case 'refused':
    default:
      return `stays: ${outcome.cause}`;
  }
}

/** What is expected of a changed recipient and subject. */
export const EDIT_EXPECTED = {
  to: 'one address, such as name@example.com',
  subject: 'one line of at most 200 characters',
} as const;

/** What came of a person's action, in a sentence. */
export const describeOutcome = {
  retry: (outcome: RetryOutcome): string => `it ${RETRY_WORDS[outcome]}`,
  resend: (outcome: ResendOutcome): string => `it ${RESEND_WORDS[outcome]}`,
  recall: (outcome: RecallOutcome): string => `it ${describeRecall(outcome)}`,
  settlement: (outcome: SettleOutcome): string => {
    if (outcome.kind === 'not_open') return `there is nothing to settle: it is ${outcome.state}`;
    return outcome.retried === undefined ? 'it counts as sent' : `it ${RETRY_WORDS[outcome.retried]}`;
  },
  approval: (outcome: ApprovalOutcome): string => {
    if (outcome.kind === 'discarded') return 'it is discarded, and never sent';
    if (outcome.kind === 'not_held') return `it does not wait for approval: it is ${outcome.state}`;
    return outcome.retried === 'again'
      ? 'a worker sends it, if its content is still what you have seen; else it waits again'
      : `it ${RETRY_WORDS[outcome.retried]}`;
  },
};

/** The state of an effect, and what a replay does with it if that is something else. */
export const VERDICTS: Readonly<Record<EffectVerdict, { readonly state: string; readonly replay?: string }>> =
  {
    sent: { state: 'sent', replay: 'sent already' },
    recalled: { state: 'taken back', replay: 'taken back, not sent again' },
    skipped: { state: 'nothing to send' },
    expanded: { state: 'report read' },
    under_way: { state: 'under way' },
    waiting: { state: 'waiting' },
    parked: { state: 'parked', replay: 'parked: settle it' },
    held: { state: 'held', replay: 'held: approve or discard it' },
    ended: { state: 'ended, and forgotten' },
    failed: { state: 'failed', replay: 'failed → tried again' },
    stranded: { state: 'stopped', replay: 'stopped → tried again' },
    new: { state: 'never queued', replay: 'new → queued' },
  };
