import type { Closable } from '../store/close-writers.ts';

/** Sets a cell, provided that its text is still the one that the caller knows. */
export interface Swap {
  readonly name: string;
  /** Undefined: the caller knows of none. */
  readonly known: string | undefined;
  readonly next: string;
  readonly keepMs: number;
}

/** Undefined: it is set. Else the text that is there instead: think again, and swap again. */
type Swapped = string | undefined;

/**
 * Small texts that all workers share. A text is thought out in the process and set by comparing, so that the rules of
 * what a cell holds are written once, not once for each store. Of those who want to swap at the same time one always
 * succeeds.
 */
export interface Cells {
  /**
   * One round trip; each name at most once. A cell that the store has lost takes any text. Waits for a store that is
   * away: PostgreSQL for half a minute, Redis until it is there or the cells are closed.
   */
  swap(swaps: readonly Swap[], nowMs: number): Promise<readonly Swapped[]>;
  /** Milliseconds since 1970 on the store's clock. */
  readClockMs(): Promise<number>;
  /** Forgets what is past its time. */
  sweep(nowMs: number): Promise<void>;
  /** Lets the writers end when the store answers. One that is away, or silent, is not waited for. */
  close(writers?: readonly Closable[]): Promise<void>;
}
