import type { Acceptance, Inbox, Refusal } from '@aftermeet/queue';

/** An inbox in memory. */
export interface ListInbox extends Inbox {
  /** What was stored, in its order. */
  readonly stored: readonly Acceptance[];
}

export function createListInbox(): ListInbox {
  const stored: Acceptance[] = [];
  const refusals: Refusal[] = [];
  return {
    stored,
    accept: (acceptance) => {
      const isKnown = stored.some(({ jobId }) => jobId === acceptance.jobId);
      const isConflict = stored.some(
        ({ deliveryKey, jobId }) =>
          deliveryKey !== undefined && deliveryKey === acceptance.deliveryKey && jobId !== acceptance.jobId,
      );
      if (!isKnown) stored.push(acceptance);
      return Promise.resolve({ kind: isKnown ? 'duplicate' : 'accepted', isConflict });
    },
    recordRefusal: (refusal) => {
      refusals.push(refusal);
      return Promise.resolve();
    },
    listRefusals: (limit) => Promise.resolve(refusals.slice(-limit).toReversed()),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
