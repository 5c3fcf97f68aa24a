import type { EffectFacts } from './effect-facts.ts';
import type { EffectState } from './effect-states.ts';

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
   * Until when somebody may be at it; only for `sending` and `unknown`. A `sending` that is past it has lost its worker.
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
  /** Only what comes after this place: where the page before it ended. */
  readonly after?: EntryPlace;
}

export interface EntryPage {
  /** At most `limit`; fewer, even none, do not say that it was the last page. */
  readonly entries: readonly LedgerEntry[];
  /** Where the next page begins; absent: this was the last one. */
  readonly next?: EntryPlace;
}
