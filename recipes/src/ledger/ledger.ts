import type { EffectFacts } from './effect-facts.ts';
import type { EffectState } from './effect-states.ts';
import type { EntryFilter, EntryPage, LedgerEntry } from './ledger-entry.ts';

export type { EffectFacts, EffectState, EntryFilter, EntryPage, LedgerEntry };
export type { EntryPlace } from './ledger-entry.ts';

/**
 * What an effect is about, whichever delivery asks for it: one recipe, one meeting, one target, one part. A second
 * effect of a subject (the report was made anew, the delivery came twice under two times, a hint came too) changes
 * what the first one sent.
 */
export interface Subject {
  /** Lowercase hex SHA-256. */
  readonly key: string;
  /** Which holding of the meeting: when it began. A series shares one meeting id. Empty: not known. */
  readonly edition: string;
  /** Lowercase hex SHA-256 of what is to be sent. */
  readonly contentHash: string;
}

export interface ClaimRequest {
  readonly nowMs: number;
  /** How long nobody else may act on the effect; longer than one call to a vendor. */
  readonly leaseMs: number;
  readonly facts: EffectFacts;
  /**
   * Absent: this claim does not ask what was sent for another effect. A subject that the effect had before stays.
   */
  readonly subject?: Subject;
  /**
   * Every earlier start of the job is known to have ended before anything was sent, or left its trace here. Else, in a
   * store that may have lost its last moments since, the claim is a probe.
   */
  readonly isTraceComplete: boolean;
  /** The effect cannot have been tried before this. */
  readonly earliestMs: number;
}

/** What the ledger knows of an effect when somebody wants to bring it about. */
export type Claim =
  /** Surely not sent: send it. With `previous`, change what that reference names instead. */
  | { readonly state: 'claimed'; readonly fence: number; readonly previous?: string }
  /** An earlier attempt was never settled and its lease is over: look at the destination first. */
  | {
      readonly state: 'probe';
      readonly fence: number;
      readonly firstIntentAtMs: number;
      /** How often the effect has come to this, this time included. */
      readonly probes: number;
      readonly previous?: string;
    }
  /** Somebody is at it, or at another effect of its subject, or was until a moment ago. */
  | { readonly state: 'busy'; readonly untilMs: number }
  | EndState;

/** States that never change by themselves. */
type EndState =
  | { readonly state: 'sent'; readonly reference: string }
  /** There was nothing to send: the same was sent before, or its time was over. */
  | { readonly state: 'skipped'; readonly cause: string }
  | { readonly state: 'failed'; readonly cause: string }
  /** Nobody could find out whether it was sent: a person settles it. */
  | { readonly state: 'parked'; readonly cause: string };

/** What came of an attempt. */
export type Settlement =
  | EndState
  /** Surely not accepted. */
  | { readonly state: 'pending' }
  | {
      readonly state: 'unknown';
      readonly cause: string;
      /**
       * False when nothing was sent and no look was taken. The probe is not counted, and the lease ends at once: nothing
       * is under way any more.
       */
      readonly isProbeUsed?: boolean;
    };

/**
 * Remembers of every effect whether it was sent. The intent is stored before the vendor is called and the outcome
 * after it, so that a crash in between leaves a trace. Every claim raises the fence, and only the holder of the newest
 * fence can settle.
 *
 * A claim also looks at the subject: while another effect of it is sending or unknown, it is busy (no longer than ten
 * minutes after that one's lease). When the last thing that was sent has the same edition, or one of the two is not
 * known: the same content makes this effect `skipped`; so does, with the editions known and the same, an occurrence
 * that is older than the one that was sent; else, with the editions known and the same, the claim names its reference
 * as `previous`, and from then on nothing counts as the same content until something was sent.
 *
 * A Redis with `appendfsync everysec` can lose its last second in a crash. What it forgets is noticed by the starts of
 * the job (`isTraceComplete`); an effect whose job start and whose intent fall into the same lost second leaves no
 * trace at all, and may be sent again.
 */
export interface Ledger {
  /**
   * Claims are written together: what is asked for in one turn goes in one step. Rejects alone when a number in the
   * request is none.
   */
  claim(effectKey: string, request: ClaimRequest): Promise<Claim>;
  /** Prolongs the lease; false when the fence is old. */
  renew(effectKey: string, fence: number, untilMs: number): Promise<boolean>;
  /**
   * Stores the outcome; false when the fence is old or another outcome is stored already (the same one again is
   * true: a command can be sent twice when a connection breaks). Where the store has lost the attempt meanwhile, an
   * outcome that is final is stored all the same. The request's subject is what was sent; without one that of the
   * claim stands, which is right for what a probe has found.
   */
  settle(
    effectKey: string,
    fence: number,
    settlement: Settlement,
    request: Pick<ClaimRequest, 'nowMs' | 'facts' | 'subject'>,
  ): Promise<boolean>;
  read(effectKey: string, nowMs: number): Promise<LedgerEntry | undefined>;
  /**
   * Newest change first. What changes meanwhile can be in two pages, or in none when it is not in one of the states any
   * more.
   */
  list(filter: EntryFilter): Promise<EntryPage>;
  counts(): Promise<Readonly<Record<EffectState, number>>>;
  /**
   * Lets an effect that has ended be tried again, with fresh probes: `failed` and `skipped` become `pending`, `parked`
   * becomes `unknown`, so that the destination is asked first. So does a `sending` whose lease is over, which counts as
   * `unknown`. Its subject still counts: what was sent meanwhile is not sent again. Answers with the state it had; the
   * others are left as they are. Undefined: not known.
   */
  reopen(effectKey: string, nowMs: number): Promise<EffectState | undefined>;
  /**
   * A person says what became of an effect that is `unknown`, `parked` or `failed`: `sent`, or not (`pending`). A
   * `sending` whose lease is over counts as `unknown`: nobody else would settle it. What is said to be sent has the
   * reference that it was to change, or an empty one: then later effects of its subject that would change it are
   * skipped. Answers with the state it had; others are left as they are.
   */
  decide(effectKey: string, verdict: 'sent' | 'not_sent', nowMs: number): Promise<EffectState | undefined>;
  /** Forgets what is past its time. */
  sweep(nowMs: number): Promise<void>;
  close(): Promise<void>;
}
