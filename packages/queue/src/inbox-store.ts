import type { EventJob } from './job-catalog.ts';

/** A mark by which a delivery is known again, and for how long. */
export interface Fingerprint {
  readonly key: string;
  readonly keepSeconds: number;
}

/** A genuine delivery to be stored. `jobId` is made from the delivery, so that a retry makes the same. */
export interface Acceptance {
  readonly jobId: string;
  readonly job: EventJob;
  readonly fingerprints: readonly Fingerprint[];
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
   * Stores a delivery durably. Any fingerprint that is known as stored makes it a `duplicate`.
   * After a rejection it is safe to accept the same delivery again: it becomes one job.
   */
  accept(acceptance: Acceptance): Promise<'accepted' | 'duplicate'>;
  /** Keeps a refusal; the newest 1,000 stay. */
  recordRefusal(refusal: Refusal): Promise<void>;
  /** The newest refusals, newest first. */
  listRefusals(limit: number): Promise<Refusal[]>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What the Redis and the PostgreSQL variant have in common; ids are plain here. */
export interface InboxStore extends Omit<Inbox, 'accept'> {
  accept(acceptance: Acceptance, deadlineMs: number): Promise<'accepted' | 'duplicate'>;
}

/** The refusals that are kept. */
export const MAX_REFUSALS = 1000;
