import { z } from 'zod';

import type { LineState, PlaceRequests } from './endpoint-lines.ts';
import { encodeJobText, type EventJob, toSafeId } from './job-catalog.ts';

/** A genuine delivery to store. `jobId` is made from what was signed, so a retry or a replay has the same. */
export interface Acceptance {
  readonly jobId: string;
  readonly job: EventJob;
  /** How long a repetition counts as a duplicate, in every state of the job; at most a year. */
  readonly keepSeconds: number;
  /** The sender's delivery id. It is not signed, so the same id with another job is a conflict and suppresses nothing. */
  readonly deliveryKey?: string;
}

export interface Accepted {
  readonly kind: 'accepted' | 'duplicate';
  /** The sender used this delivery id for another job within `keepSeconds`. */
  readonly isConflict: boolean;
}

/** The metadata of a delivery that was signed but is malformed; never its content. */
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
   * Stores a delivery durably, or finds that it is stored already. Job and dedupe key are written in one step, so
   * neither exists without the other. After a rejection it is safe to accept the same delivery again: it becomes one
   * job.
   */
  accept(acceptance: Acceptance): Promise<Accepted>;
  /**
   * Stores a refusal; the newest 1,000 stay. Above the rate that the store takes beside deliveries, it resolves without
   * storing this one, and a warning says how many were dropped: a flood of refusals must not delay deliveries.
   */
  recordRefusal(refusal: Refusal): Promise<void>;
  /** The newest refusals, newest first. */
  listRefusals(limit: number): Promise<Refusal[]>;
  /** Resolves when the store takes a write and has room for deliveries, or did and had within the last second or two. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The part of an inbox that differs between Redis and PostgreSQL. */
export interface InboxStore extends Omit<Inbox, 'accept' | 'recordRefusal'> {
  /** The store's time, milliseconds since 1970. */
  readClockMs(): Promise<number>;
  /** Writes a group in one step and answers each in order; a group may contain the same delivery twice. */
  acceptGroup(group: readonly InboxEntry[], places: PlaceRequests): Promise<AcceptedGroup>;
  /** Whether the error was caused by the data of a delivery, so that the others can be written without it. */
  isDataError(error: unknown): boolean;
  /** Oldest first. */
  recordRefusals(refusals: readonly Refusal[]): Promise<void>;
  /** How many groups are written at the same time. */
  readonly maxInFlight: number;
}

export const MAX_REFUSALS = 1000;

export interface AcceptedGroup {
  readonly accepted: readonly Accepted[];
  readonly lines: LineState;
}

/** A delivery in the form that both stores write. */
export interface InboxEntry {
  readonly jobId: string;
  readonly endpoint: string;
  /** JSON text. */
  readonly data: string;
  readonly keepMs: number;
  /** Empty without a delivery id. */
  readonly deliveryKey: string;
}

/** Both stores can handle expiry times this far in the future. */
const MAX_KEEP_MS = 365 * 24 * 60 * 60 * 1000;

/** Text that both stores accept in a key. */
const plainName = /^[\x21-\x7e]{1,300}$/;

export function toInboxEntry({ jobId, job, keepSeconds, deliveryKey }: Acceptance): InboxEntry {
  return {
    jobId: toSafeId(jobId),
    endpoint: job.endpoint,
    data: encodeJobText(job),
    keepMs: Math.min(MAX_KEEP_MS, Math.max(1, Math.ceil(keepSeconds * 1000))),
    deliveryKey:
      deliveryKey === undefined || plainName.test(deliveryKey) ? (deliveryKey ?? '') : toSafeId(deliveryKey),
  };
}

/** In bytes. */
export function sizeOfEntry({ data }: InboxEntry): number {
  return Buffer.byteLength(data);
}

/** The meaning of a store's digits. */
const answers: ReadonlyMap<string, Accepted> = new Map([
  ['0', { kind: 'accepted', isConflict: false }],
  ['1', { kind: 'duplicate', isConflict: false }],
  ['2', { kind: 'accepted', isConflict: true }],
  ['3', { kind: 'duplicate', isConflict: true }],
]);

/**
 * Parses a store's answer to a group: epoch and head of the lines, and one digit per delivery, in order, 1 for a duplicate
 * plus 2 for a conflict, with colons between them. Throws on anything else, because a delivery without an answer must not
 * look stored.
 */
export function parseAcceptAnswers(answer: unknown, count: number): AcceptedGroup {
  const [, epoch = '', head = '', digits = ''] =
    /^(\d{1,15}):(\d{1,15}):(.*)$/.exec(typeof answer === 'string' ? answer : '') ?? [];
  const found = Array.from(digits, (digit) => answers.get(digit));
  const accepted = found.filter((each) => each !== undefined);
  if (head === '' || accepted.length !== count || found.length !== count) {
    throw new Error('the store answered something else than one digit for each delivery');
  }
  return { accepted, lines: { epoch: Number(epoch), head: Number(head) } };
}

/** A stored refusal. */
export const refusalSchema = z.object({
  endpoint: z.string(),
  deliveryId: z.string().optional(),
  receivedAt: z.string(),
  reason: z.string(),
  bytes: z.number(),
  bodySha256: z.string(),
});
