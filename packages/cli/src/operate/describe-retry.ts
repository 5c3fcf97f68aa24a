import type { RetryOutcome } from '@aftermeet/recipes';

const outcomes: Readonly<Record<RetryOutcome, string>> = {
  again: 'is tried again',
  planned_again: 'is asked of its report once more, and tried where that still names it',
  waiting: 'waits for its turn',
  under_way: 'is under way',
  sent: 'was sent already',
  job_gone: 'stays as it is: neither its job nor its delivery is kept, so nobody knows where it was to go',
};

/** What became of the wish to try an effect again. */
export function describeRetry(outcome: RetryOutcome): string {
  return outcomes[outcome];
}
