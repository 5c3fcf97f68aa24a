import type { Acceptance, Inbox, Refusal } from '@aftermeet/queue';

/** An inbox that keeps what it was given, for tests that must know what got in. */
export interface ListInbox extends Inbox {
  /** Every call of `accept`, duplicates included. */
  readonly asked: readonly Acceptance[];
  /** The bodies of what was stored, each once. */
  bodies(): readonly string[];
  readonly refusals: readonly Refusal[];
  forget(): void;
}

export function createListInbox(): ListInbox {
  const stored = new Map<string, Acceptance>();
  const asked: Acceptance[] = [];
  const refusals: Refusal[] = [];
  return {
    asked,
    refusals,
    bodies: () => [...stored.values()].map(({ job }) => job.body),
    forget: () => {
      stored.clear();
      asked.length = 0;
      refusals.length = 0;
    },
    accept: (acceptance) => {
      asked.push(acceptance);
      const kind = stored.has(acceptance.jobId) ? 'duplicate' : 'accepted';
      if (kind === 'accepted') stored.set(acceptance.jobId, acceptance);
      return Promise.resolve({ kind, isConflict: false });
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

/** An inbox that answers only after it is opened. */
export interface GatedInbox extends Inbox {
  /** How many deliveries wait for it. */
  waiting(): number;
  open(): void;
}

export function gateInbox(inbox: Inbox): GatedInbox {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let asked = 0;
  return {
    ...inbox,
    accept: async (acceptance) => {
      asked += 1;
      await opened;
      asked -= 1;
      return await inbox.accept(acceptance);
    },
    waiting: () => asked,
    open,
  };
}
