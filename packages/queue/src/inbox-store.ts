import type { InboxEntry } from './inbox-entry.ts';
import type { EventJob } from './job-catalog.ts';

/** A genuine delivery to be stored. `jobId` is made from what was signed, so that a retry or a replay makes the same. */
export interface Acceptance {
  readonly jobId: string;
  readonly job: EventJob;
  /** How long the delivery is known again, whatever has become of its job; at most a year. */
  readonly keepSeconds: number;
  /** What its sender calls it. Not signed: the same name over another job suppresses nothing, it is a conflict. */
  readonly announcedAs?: string;
}

export interface Accepted {
  readonly kind: 'accepted' | 'duplicate';
  /** The sender used this name for another delivery before, within `keepSeconds`. */
  readonly isConflict: boolean;
}

/** What is kept of a delivery that was signed but is not one of ours: never its content. */
export interface Refusal {
  readonly endpoint: string;
  readonly deliveryId?: string | undefined;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  readonly reason: string;
  readonly bytes: number;
  readonly bodySha256: string;
}

/** The accepting side of the queue. Every method rejects with `StoreUnavailable` within 900 ms. */
export interface Inbox {
  /**
   * Stores a delivery durably, or finds that it is stored already. Job and mark are written in one step, so there is
   * no moment at which one exists without the other. After a rejection it is safe to accept the same delivery
   * again: it becomes one job.
   */
  accept(acceptance: Acceptance): Promise<Accepted>;
  /**
   * Keeps a refusal; the newest 1,000 stay. When more come than the store takes beside its deliveries, it resolves
   * without keeping this one, and a warning says how many were not kept: a flood of refusals must cost nobody else.
   */
  recordRefusal(refusal: Refusal): Promise<void>;
  /** The newest refusals, newest first. */
  listRefusals(limit: number): Promise<Refusal[]>;
  /** Resolves when the store answers and takes writes, or did so within the last second. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What the Redis and the PostgreSQL variant have in common. */
export interface InboxStore extends Omit<Inbox, 'accept' | 'recordRefusal'> {
  /** Writes a group in one step and answers for each, in their order; two of a group may be the same delivery. */
  acceptGroup(group: readonly InboxEntry[]): Promise<readonly Accepted[]>;
  /** Whether the store disliked what it was given: another group may be fine, and each of this one alone. */
  isDataError(error: unknown): boolean;
  /** Oldest first. */
  recordRefusals(refusals: readonly Refusal[]): Promise<void>;
  /** Groups that are worth having under way at the same time. */
  readonly maxInFlight: number;
}

/** The refusals that are kept. */
export const MAX_REFUSALS = 1000;
