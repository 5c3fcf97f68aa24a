import { z } from 'zod';

/**
 * What an effect is about, whichever delivery asks for it: one recipe, one meeting, one target, one part. A second
 * effect with the same dedupe key (the report was made anew, the delivery came twice under two times, an unsigned delivery came too) changes
 * what the first one sent.
 */
export interface DedupeKey {
  /** Lowercase hex SHA-256. */
  readonly key: string;
  /** Which holding of the meeting: when it began. A series shares one meeting id. Empty: not known. */
  readonly meetingStart: string;
  /** Lowercase hex SHA-256 of what is to be sent. */
  readonly contentHash: string;
}

export interface ClaimRequest {
  readonly nowMs: number;
  /** How long no other worker may act on the effect; longer than one call to a vendor. */
  readonly leaseMs: number;
  readonly facts: EffectFacts;
  /**
   * Absent: this claim does not ask what was sent for another effect. A dedupe key that the effect had before stays.
   */
  readonly dedupe?: DedupeKey;
  /**
   * Every earlier start of the job is known to have ended before anything was sent, or left its trace here. Else, in a
   * store that may have lost its last moments since, the claim is a probe.
   */
  readonly isTraceComplete: boolean;
  /** The effect cannot have been tried before this. */
  readonly earliestMs: number;
}

/** What the ledger answers to a claim. */
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
  /** This effect, or another with the same dedupe key, is leased. */
  | { readonly state: 'busy'; readonly untilMs: number }
  | EndState;

/** States that never change by themselves. */
export type EndState =
  | { readonly state: 'sent'; readonly reference: string }
  /** There was nothing to send: the same was sent before, or its time was over. */
  | { readonly state: 'skipped'; readonly cause: string }
  | { readonly state: 'failed'; readonly cause: string }
  /** It could not be found out whether it was sent: a person settles it. */
  | { readonly state: 'parked'; readonly cause: string }
  /** It is sent when a person approves it. */
  | { readonly state: 'held'; readonly cause: string };

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
 * A claim also looks at the dedupe key: while another effect of it is sending or unknown, it is busy (no longer than ten
 * minutes after that one's lease). When the last thing that was sent has the same meeting start, or one of the two is not
 * known: the same content makes this effect `skipped`; so does, with the meeting starts known and the same, an occurrence
 * that is older than the one that was sent; else, with the meeting starts known and the same, the claim names its reference
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
   * outcome that is final is stored all the same. The request's dedupe key is what was sent; without one that of the
   * claim stands, which is right for what a probe has found.
   */
  settle(
    effectKey: string,
    fence: number,
    settlement: Settlement,
    request: Pick<ClaimRequest, 'nowMs' | 'facts' | 'dedupe'>,
  ): Promise<boolean>;
  read(effectKey: string, nowMs: number): Promise<LedgerEntry | undefined>;
  /**
   * Newest change first. What changes meanwhile can be in two pages, or in none when it is not in one of the states any
   * more.
   */
  list(filter: EntryFilter): Promise<EntryPage>;
  counts(): Promise<Readonly<Record<EffectState, number>>>;
  /**
   * How many effects of each state changed last in each span of time: from one edge to before the next. The edges are
   * milliseconds since 1970, the earliest first.
   */
  countChanges(
    states: readonly EffectState[],
    edgesMs: readonly number[],
  ): Promise<readonly (readonly number[])[]>;
  /**
   * Lets an effect that has ended be tried again, with fresh probes: `failed` and `skipped` become `pending`, `parked`
   * becomes `unknown`, so that the destination is asked first. So does a `sending` whose lease is over, which counts as
   * `unknown`. Its dedupe key still counts: what was sent meanwhile is not sent again. Answers with the state it had; the
   * others are left as they are. Undefined: not known.
   */
  reopen(effectKey: string, nowMs: number): Promise<EffectState | undefined>;
  /**
   * A person says what became of an effect that is `unknown`, `parked` or `failed`: `sent`, or not (`pending`), or that nothing
   * is to be done about it (`skipped`, with the reason). A
   * `sending` whose lease is over counts as `unknown`: no worker would settle it. What is said to be sent has the
   * reference that it was to change, or an empty one: then later effects of its dedupe key that would change it are
   * skipped. Answers with the state it had; others are left as they are.
   */
  decide(
    effectKey: string,
    verdict: Decision,
    nowMs: number,
    reason?: string,
  ): Promise<EffectState | undefined>;
  /**
   * A person says that what was sent is not there any more: `sent` becomes `unknown`, so that the destination is asked
   * first. If it was the last that was sent for its dedupe key, nothing counts as sent for that key from then on. Answers with
   * the state it had; others are left as they are. Undefined: not known.
   */
  resend(effectKey: string, nowMs: number): Promise<EffectState | undefined>;
  /**
   * A person has taken back what was sent: it stays `sent`, with the cause `RECALLED`, so that its dedupe key still counts and
   * nothing sends it anew by itself. Answers with the state it had; others are left as they are. Undefined: not known.
   */
  markRecalled(effectKey: string, nowMs: number): Promise<EffectState | undefined>;
  /**
   * A person approves or discards an effect that is `held`: it becomes `pending`, or `skipped`. An approval counts for the
   * content that was seen; default: for whatever is rendered when it is sent. Answers with the state it had; others are left
   * as they are. Undefined: not known.
   */
  resolveHeld(
    effectKey: string,
    decision: 'approved' | 'discarded',
    nowMs: number,
    contentHash?: string,
  ): Promise<EffectState | undefined>;
  /** The content hash that was approved last, or `ANY_CONTENT`; undefined: none was. */
  readApproval(effectKey: string): Promise<string | undefined>;
  /** Forgets what is past its time. */
  sweep(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

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
  /** W3C trace id of the delivery; empty when there is none. */
  readonly traceId: string;
  /** Milliseconds since 1970: when the delivery was received. */
  readonly receivedAtMs: number;
}

/** Every state that an effect can be in. */
export const effectStates = [
  'pending',
  'sending',
  'unknown',
  'sent',
  'skipped',
  'failed',
  'parked',
  'held',
] as const;

export type EffectState = (typeof effectStates)[number];

export const effectStateSchema = z.enum(effectStates);

export const noCounts: Readonly<Record<EffectState, number>> = {
  pending: 0,
  sending: 0,
  unknown: 0,
  sent: 0,
  skipped: 0,
  failed: 0,
  parked: 0,
  held: 0,
};

/** One effect as the ledger knows it. Times are milliseconds since 1970. */
export interface LedgerEntry extends EffectFacts {
  readonly effectKey: string;
  readonly state: EffectState;
  /** How often it was claimed: calls to the vendor, looks included. */
  readonly attempts: number;
  readonly probes: number;
  readonly firstIntentAtMs: number;
  readonly changedAtMs: number;
  /**
   * End of the lease; only for `sending` and `unknown`. A `sending` after it has lost its worker.
   */
  readonly leaseUntilMs?: number;
  /** Where what was sent is: channel and ts, page id, Message-ID. */
  readonly reference?: string;
  readonly cause?: string;
}

/** The place of an entry in a list: by its last change, then by its key. */
export interface EntryPlace {
  readonly changedAtMs: number;
  readonly effectKey: string;
}

export interface EntryFilter {
  readonly states: readonly EffectState[];
  readonly limit: number;
  /** Only effects of this meeting. The store looks at all of them, but answers with these alone. */
  readonly meetingId?: string | undefined;
  /** Only effects whose keys begin with this. */
  readonly keyPrefix?: string | undefined;
  /** Only what comes after this place: where the page before it ended. */
  readonly after?: EntryPlace;
}

export interface EntryPage {
  /** At most `limit`; fewer, even none, do not say that it was the last page. */
  readonly entries: readonly LedgerEntry[];
  /** Where the next page begins; absent: this was the last one. */
  readonly next?: EntryPlace;
}

/** How long an effect waits for another one with its dedupe key whose lease is over. */
export const dedupePatienceMs = 10 * 60 * 1000;

/** How soon it looks again meanwhile. */
export const dedupeLookMs = 15 * 1000;

/** Why a claim finds that there is nothing to send. */
export const skipCauses = {
  same: 'the same was sent already for another delivery of the meeting',
  older: 'a newer report of the meeting was sent already',
  /** A person said that it was sent. */
  unplaced: 'it was sent already, and it is not known where what was sent could be changed',
} as const;

const dayMs = 24 * 60 * 60 * 1000;

/** The cause of an effect that a person has cancelled while it waited. */
export const CANCELLED = 'cancelled by hand';

/** The cause of an effect that was sent and taken back. */
export const RECALLED = 'taken back by hand';

/** The cause of an effect that was discarded at its approval. */
export const DISCARDED = 'discarded at its approval';

/** What a person says of an effect. */
export type Decision = 'sent' | 'not_sent' | 'dismissed';

/** The state that it gets. */
export const DECIDED = { sent: 'sent', not_sent: 'pending', dismissed: 'skipped' } as const;

const MAX_REASON = 200;

export function describeDismissal(reason = ''): string {
  return reason === '' ? 'dismissed' : `dismissed: ${reason.slice(0, MAX_REASON)}`;
}

/** An approval of what was not looked at. */
export const ANY_CONTENT = '*';

/** As long as an effect can be repeated. */
export const APPROVAL_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** How long an effect is kept after its last change; `unknown`, `parked`, `held` and `sending` until they are settled. */
export const retentionMs = {
  sent: 90 * dayMs,
  skipped: 90 * dayMs,
  failed: 30 * dayMs,
  pending: 90 * dayMs,
} as const;

/** False: nothing was done, so that neither the count of probes nor the lease stands. */
export function isProbeUsed(settlement: Settlement): boolean {
  return settlement.state !== 'unknown' || settlement.isProbeUsed !== false;
}
