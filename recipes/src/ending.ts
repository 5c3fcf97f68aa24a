import type { RetryLimits } from './pace/retry-later.ts';

/** Why an effect waits, in one word: a label of the metrics. */
export type WaitReason =
  /** Its lane's limit: others go first. */
  | 'turn'
  /** The destination asked for a pause. */
  | 'limited'
  /** The destination can not be used now. */
  | 'destination'
  /** An attempt is under way, or it is not clear what became of one. */
  | 'unclear'
  | 'report_not_ready'
  /** The service does not know the meeting yet. */
  | 'meeting_unknown'
  /** The service can not be used now. */
  | 'service'
  | 'key_refused'
  /** It belongs behind a message that is not sent yet. */
  | 'first_part'
  /** This worker has no such recipe. */
  | 'recipe_gone'
  | 'stopping';

/** What came of one start of an effect's job. */
export type Ending =
  /** `isNew` is false when an earlier attempt turned out to have sent it. */
  | { readonly kind: 'sent'; readonly reference: string; readonly isNew: boolean }
  | { readonly kind: 'skipped'; readonly cause: string }
  | { readonly kind: 'failed'; readonly cause: string }
  | {
      readonly kind: 'wait';
      readonly why: WaitReason;
      readonly forMs: number;
      readonly cause: string;
      readonly turnMs?: number;
      /** The destination had all of it and did not confirm it, and nobody can be asked. */
      readonly isUnconfirmed?: boolean;
    }
  /**
   * It may pass by itself. `forMs` is what somebody asked for; `limits` are the destination's unless given.
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
