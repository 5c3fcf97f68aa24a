/** What the ledger keeps of an effect besides its state: ids only, no content and no address. */
export interface EffectFacts {
  readonly recipe: string;
  readonly destination: string;
  readonly eventKind: string;
  readonly meetingId: string;
  readonly occurrence: string;
  /** SHA-256 of the target, which can be an address. */
  readonly targetHash: string;
  readonly part: number;
}

export interface ClaimRequest {
  readonly nowMs: number;
  /** How long nobody else may act on the effect; longer than one call to a vendor. */
  readonly leaseMs: number;
  readonly facts: EffectFacts;
  /** How often the job was started, this time included. */
  readonly startedTimes: number;
  /** The effect cannot have been tried before this. */
  readonly earliestMs: number;
}

/** What the ledger knows of an effect when somebody wants to bring it about. */
export type Claim =
  /** Surely not sent: send it. */
  | { readonly state: 'claimed'; readonly fence: number }
  /** An earlier attempt was never settled and its lease is over: look at the destination first. */
  | {
      readonly state: 'probe';
      readonly fence: number;
      readonly firstIntentAtMs: number;
      /** How often the effect has come to this, this time included. */
      readonly probes: number;
    }
  /** Somebody is at it, or was until a moment ago. */
  | { readonly state: 'busy'; readonly untilMs: number }
  | EndState;

/** States that never change by themselves. */
export type EndState =
  | { readonly state: 'sent'; readonly reference: string }
  | { readonly state: 'failed'; readonly cause: string };

/** What came of an attempt. */
export type Settlement =
  | EndState
  /** Surely not accepted. */
  | { readonly state: 'pending' }
  | {
      readonly state: 'unknown';
      readonly cause: string;
      /** False when a probe came to nothing, neither a look nor a call: it is not counted. */
      readonly isProbeUsed?: boolean;
    };

/**
 * Remembers of every effect whether it was sent. The intent is stored before the vendor is called and
 * the outcome after it, so that a crash in between leaves a trace. Every claim raises the fence, and
 * only the holder of the newest fence can settle.
 *
 * A Redis with `appendfsync everysec` can lose its last second in a crash. What it forgets is noticed by
 * the starts of the job, which it counts too; an effect whose job start and whose intent fall into the
 * same lost second leaves no trace at all, and may be sent again.
 */
export interface Ledger {
  /** Whether an effect is over; undefined when it is not, or is not known. */
  read(effectKey: string, nowMs: number): Promise<EndState | undefined>;
  /** Stores the intent and takes the lease, if the effect is to be brought about now. */
  claim(effectKey: string, request: ClaimRequest): Promise<Claim>;
  /** Prolongs the lease; false when the fence is old. */
  renew(effectKey: string, fence: number, untilMs: number): Promise<boolean>;
  /**
   * Stores the outcome; false when the fence is old or the attempt is settled already. Where the store
   * has lost the attempt meanwhile, an outcome that is final is stored all the same.
   */
  settle(
    effectKey: string,
    fence: number,
    settlement: Settlement,
    nowMs: number,
    facts: EffectFacts,
  ): Promise<boolean>;
  /**
   * Notes that a start of the job ended before anything was sent. A store that can lose its last
   * moments in a crash needs this to tell "never tried" from "forgotten". It is not noted when the
   * start before left no trace: that one may have sent something.
   */
  rest(effectKey: string, startedTimes: number, facts: EffectFacts): Promise<void>;
  /** Forgets what is past its time. */
  sweep(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;

/** How long a settled effect is kept; what is unknown is kept until somebody settles it. */
export const retentionMs = { sent: 90 * dayMs, failed: 30 * dayMs, pending: 90 * dayMs } as const;

/** Whether a settlement leaves the count of probes as the claim made it. */
export function isProbeUsed(settlement: Settlement): boolean {
  return settlement.state !== 'unknown' || settlement.isProbeUsed !== false;
}
