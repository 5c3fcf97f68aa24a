import type { ClaimRequest, EndState } from './ledger/ledger.ts';
import type { RetryLimits } from './limits/retry-later.ts';
import type { NotSent, ProbeResult } from './prepared-send.ts';

export type SendRequest = Omit<ClaimRequest, 'nowMs' | 'leaseMs'>;

/** Why an effect waits, in one word: a label of the metrics. */
type WaitReason =
  /** The rate limit: others go first. */
  | 'slot'
  /** The destination asked for a pause. */
  | 'limited'
  /** The destination cannot be used now. */
  | 'destination'
  /** An attempt is under way, or it is not clear what became of one. */
  | 'unclear'
  | 'report_not_ready'
  /** The service does not know the meeting yet. */
  | 'meeting_unknown'
  /** The service cannot be used now. */
  | 'service'
  | 'key_refused'
  /** The destination refuses our token or login. */
  | 'destination_paused'
  /** A person has paused its recipe. */
  | 'recipe_paused'
  /** It belongs behind a message that is not sent yet. */
  | 'first_part'
  /** This worker has no such recipe. */
  | 'recipe_gone'
  | 'stopping';

/** What a step of a delivery returns: what the next step needs, or the outcome that ends the delivery. */
export type Step<Next> =
  | { readonly next: Next; readonly outcome?: undefined }
  | { readonly outcome: Outcome; readonly next?: undefined };

/** What came of one start of an effect's job. */
export type Outcome =
  | RecordedOutcome
  /** It ended before it was claimed; the ledger does not know yet. */
  | {
      readonly kind: 'end';
      readonly state: 'failed' | 'skipped';
      readonly cause: string;
      /** The effect itself sends nothing, so no earlier attempt can have sent it. */
      readonly sendsNothing?: boolean;
    }
  | {
      readonly kind: 'end';
      readonly state: 'held';
      readonly cause: string;
      readonly request: SendRequest;
      readonly sendsNothing?: false;
    };

/** An outcome that the ledger knows, or need not know. */
export type RecordedOutcome =
  /** `sentNow` is false when an earlier attempt turned out to have sent it. */
  | { readonly kind: 'sent'; readonly reference: string; readonly sentNow: boolean }
  | { readonly kind: 'skipped'; readonly cause: string }
  /** Also when it needs review. */
  | { readonly kind: 'failed'; readonly cause: string }
  /** It is sent when a person approves it. */
  | { readonly kind: 'held'; readonly cause: string }
  | {
      readonly kind: 'wait';
      readonly why: WaitReason;
      readonly forMs: number;
      readonly cause: string;
      readonly slotMs?: number;
      /** The destination had all of it and did not confirm it, and has no lookup. */
      readonly isUnconfirmed?: boolean;
    }
  /**
   * It may pass by itself. `forMs` is what the destination or the service asked for; `limits` are the destination's unless given.
   * `isTraced`: the ledger knows of every attempt so far.
   */
  | {
      readonly kind: 'retry';
      readonly why: WaitReason;
      readonly cause: string;
      readonly forMs?: number;
      readonly limits?: RetryLimits;
      readonly isTraced?: boolean;
    }
  /** The destination asked for a pause. */
  | {
      readonly kind: 'limited';
      readonly forMs: number;
      readonly cause: string;
      readonly isTraced?: boolean;
    };

/** Which effect a step is about. */
export interface EffectLabel {
  readonly recipe: string;
  readonly destination: string;
  readonly meetingId: string;
  readonly effectKey: string;
  /** W3C trace id: the same for everything that one delivery causes. */
  readonly traceId?: string;
}

/** What a worker did, for observers: ids and references, no content and no address. */
export type WorkerStep =
  | { readonly kind: 'report_fetched'; readonly meetingId: string; readonly elapsedMs: number }
  /**
   * `reference` says where it is: channel and ts, page id, Message-ID. `elapsedMs` is the time since its delivery was
   * received; `sentNow` is false when an earlier attempt turned out to have sent it.
   */
  | ({
      readonly kind: 'effect_sent';
      readonly reference: string;
      readonly elapsedMs: number;
      readonly sentNow: boolean;
    } & EffectLabel)
  | ({ readonly kind: 'effect_skipped'; readonly cause: string } & EffectLabel)
  | ({ readonly kind: 'effect_held'; readonly cause: string } & EffectLabel)
  | ({
      readonly kind: 'effect_waiting';
      readonly cause: string;
      readonly why: WaitReason;
      readonly forMs: number;
    } & EffectLabel)
  | ({ readonly kind: 'effect_failed'; readonly cause: string } & EffectLabel)
  /** Whether its circuit lets effects through; `refused`: it refuses our token or login. */
  | {
      readonly kind: 'circuit_changed';
      readonly destination: string;
      readonly state: 'closed' | 'open' | 'refused';
    }
  | {
      readonly kind: 'effect_probed';
      readonly destination: string;
      readonly result: ProbeResult['result'];
    };

/** What the ledger says of an effect whose only work was to plan others. */
export function describeExpansion(count: number): string {
  return `${count} effect${count === 1 ? '' : 's'} planned from the report`;
}

/** Whether that is what the ledger says; who was left out can follow it. */
export function isExpansion(cause: string | undefined): boolean {
  return /^\d+ effects? planned from the report(?:;|$)/.test(cause ?? '');
}

/** The outcome of an effect that the ledger has recorded as ended. */
export function toOutcome(end: EndState): RecordedOutcome {
  if (end.state === 'sent') return { kind: 'sent', reference: end.reference, sentNow: false };
  return { kind: end.state === 'parked' ? 'failed' : end.state, cause: end.cause };
}

/** How soon an effect that needs the service is tried again while the API key is refused. */
const KEY_TRY_MS = 30_000;

/**
 * The effects of a paused destination stay at the head of their queue, where the oldest is tried first: its worker takes
 * none of them until the next try.
 */
const PAUSED_MS = 1;

/** How soon an effect of a paused recipe looks again. */
const RECIPE_PAUSED_MS = 30_000;

export function waitForResume(recipe: string): Extract<Outcome, { kind: 'wait' }> {
  const cause = `the recipe ${recipe} is paused by hand`;
  return { kind: 'wait', why: 'recipe_paused', forMs: RECIPE_PAUSED_MS, cause };
}

export function waitForRepair(cause: string): Extract<Outcome, { kind: 'wait' }> {
  return { kind: 'wait', why: 'destination_paused', forMs: PAUSED_MS, cause };
}

/** The outcome of an effect that is known not to be sent. */
export function toNotSentOutcome(unsent: NotSent): Outcome {
  const { result, cause } = unsent;
  if (result === 'rate_limited') return { kind: 'limited', forMs: unsent.retryAfterMs, cause };
  if (result === 'permanent') return { kind: 'failed', cause };
  if (result === 'paused') return waitForRepair(cause);
  if (unsent.isKeyRefused === true) return { kind: 'wait', why: 'key_refused', forMs: KEY_TRY_MS, cause };
  return { kind: 'retry', why: 'destination', cause };
}
