import type { DraftEdit } from './draft-edits.ts';

/** Something rendered, with the name of the destination that understands it. */
export interface Rendered {
  readonly destination: string;
  readonly message: unknown;
}

/**
 * Whether the destination is there: it was asked and has answered as one that works; it was asked in vain, because it
 * could not be reached, gave no answer or broke down over it; or it was not asked.
 */
export type Contact = 'answered' | 'silent' | 'none';

/** A result names its contact where it is not the one that its kind implies (circuit-breaker.ts). */
interface ContactNote {
  readonly contact?: Contact;
}

/** What came of asking a destination to take something. Causes are for people and hold no content. */
export type SendResult =
  | (ContactNote & { readonly result: 'sent'; readonly reference: string })
  | NotSent
  /** The destination may or may not have taken it, and may still be at it. */
  | (ContactNote & { readonly result: 'unknown'; readonly cause: string });

/** The destination surely did not take it. */
export type NotSent = ContactNote &
  (
    | { readonly result: 'rate_limited'; readonly cause: string; readonly retryAfterMs: number }
    | {
        readonly result: 'not_sent_retry';
        readonly cause: string;
        /** The service refused the API key, which is the fault of no effect: it waits as long as it takes. */
        readonly isKeyRefused?: boolean;
      }
    | { readonly result: 'permanent'; readonly cause: string }
    /** It refuses our token or login, which is the fault of no effect: all of its effects wait until it is repaired. */
    | { readonly result: 'paused'; readonly cause: string }
  );

/** What a destination knows of an earlier attempt whose outcome we do not know. */
export type ProbeResult = ContactNote &
  (
    | { readonly result: 'found'; readonly reference: string }
    | { readonly result: 'absent' }
    /** It was begun and is not whole: `finish`, or else `update`, writes it to its end. */
    | { readonly result: 'begun'; readonly reference: string }
    /** It keeps no record that could be asked: only sending again makes sure, and may do so twice. */
    | { readonly result: 'untraceable' }
    /** It looked and cannot tell. */
    | { readonly result: 'unsure'; readonly cause: string }
    /** It could not be asked, and a later try may do. */
    | { readonly result: 'not_asked'; readonly cause: string }
    /** It did not look, and said when it will. */
    | { readonly result: 'rate_limited'; readonly cause: string; readonly retryAfterMs: number }
    | { readonly result: 'paused'; readonly cause: string }
    /** It cannot answer until its configuration changes. */
    | { readonly result: 'impossible'; readonly cause: string }
  );

/** One message, page or mail, ready to go. */
export interface PreparedSend {
  /** Looks for the effect at the destination, among what was sent since `sinceMs`. */
  probe(sinceMs: number): Promise<ProbeResult>;
  /** `send` is over within this. */
  readonly timeoutMs: number;
  /** One call to the vendor. Never throws. */
  send(): Promise<SendResult>;
  /**
   * Changes what was sent before; may be repeated without harm once it is over, so it needs no probe. Never throws.
   * Absent: what this destination was given cannot be changed.
   */
  readonly update?: (reference: string) => Promise<UpdateResult>;
  /**
   * Writes to its end what the probe found begun, from where it was cut off. As `update` otherwise. Absent: `update` does it
   * from the beginning.
   */
  readonly finish?: (reference: string) => Promise<UpdateResult>;
  /** Why a person has to approve it before it is sent; absent: it is sent at once. */
  readonly holdFor?: string;
  /** Releases what was fetched for sending; called when it is held. */
  discard?(): Promise<void>;
  /** What was given cannot be changed, and what would change it is sent beside it, as if nothing had gone before. */
  readonly sendsChangesAsNew?: true;
}

/**
 * What came of asking a destination to change something. What is unknown is not looked for but done again, once it
 * cannot be under way any more: a late half of it would undo what comes after it.
 */
export type UpdateResult =
  | SendResult
  /** It was deleted since: it is not restored. */
  | (ContactNote & { readonly result: 'gone'; readonly cause: string });

/** The effect that a prepared send delivers, and where it goes. */
export interface SendLabel {
  readonly effectKey: string;
  readonly target: string;
  /** When the event happened, by the service's clock: ISO 8601. Absent: not known. */
  readonly occurrence?: string;
  /** Of a part that belongs behind the first one: what that one became. */
  readonly parent?: string;
  /** Where a recipient unsubscribes; absent, or undefined: the receiver has no address of its own. */
  readonly linkUnsubscribe?: (recipient: string) => string | undefined;
  /** What a person changed when approving it; only for a message that was held. */
  readonly edit?: DraftEdit;
}

/** It has no recipient: nothing is wrong, and nothing is sent. */
export interface NoTarget extends ContactNote {
  readonly result: 'no_recipient';
  readonly cause: string;
}

export type Preparation = { readonly result: 'ready'; readonly prepared: PreparedSend } | NoTarget | NotSent;

/** A destination that is open. */
export interface Connector<Message> {
  /** Finds out what sending needs, by calls that may be repeated, before the intent is written. */
  prepare(message: Message, label: SendLabel): Promise<Preparation>;
  close(): Promise<void>;
}

/** No call to a vendor's HTTP interface outlives this. */
export const sendTimeoutMs = 10_000;

/** What a look at a destination says that has failed like this; `cause` is for people. */
export function explainFailedLook(failure: SendResult, cause: string): ProbeResult {
  if (failure.result === 'rate_limited' || failure.result === 'paused') return { ...failure, cause };
  const { result, contact } = failure;
  return {
    result: result === 'permanent' ? 'impossible' : 'not_asked',
    cause,
    ...(contact === undefined ? {} : { contact }),
  };
}
