import { z } from 'zod';

import type { DeliveryFault } from '../../faults/fault.ts';

/** One try to hand a delivery over. */
export interface DeliveryAttempt {
  /** ISO 8601, UTC; the sandbox's time. */
  readonly at: string;
  /** The receiver's answer, when there was one. */
  readonly status?: number;
  /** Why there was none: `timeout`, `ECONNREFUSED`, ... */
  readonly error?: string;
  readonly elapsedMs: number;
}

/** A delivery as everybody may see it: neither the secret nor the path of the receiver, which may be one. */
export interface DeliveryView {
  readonly id: string;
  readonly meetingId: string;
  readonly event: string;
  /** Origin of the receiver. */
  readonly receiver: string;
  readonly isSigned: boolean;
  /** `dropped`: a fault kept it from being sent. */
  readonly state: 'waiting' | 'delivered' | 'given_up' | 'dropped';
  /** The newest 50. */
  readonly attempts: readonly DeliveryAttempt[];
  /** ISO 8601, UTC; present while another attempt is planned. */
  readonly nextAttemptAt?: string;
  /** The fault that hit it. */
  readonly fault?: DeliveryFault['kind'];
}

/** A delivery with what was sent. */
export interface DeliveryDetail extends DeliveryView {
  /** JSON, exactly as it was or would be sent. */
  readonly body: string;
  /** Of the last attempt; none before the first has ended. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A delivery to make. */
export interface DeliveryOrder {
  readonly id: string;
  readonly meetingId: string;
  readonly event: string;
  readonly url: string;
  readonly secret: string | undefined;
  /** JSON; sent in UTF-8. */
  readonly body: string;
}

const attemptSchema = z
  .object({
    /** The sandbox's time, Unix milliseconds. */
    atMs: z.number(),
    status: z.number().optional(),
    error: z.string().optional(),
    elapsedMs: z.number(),
  })
  .readonly();

export type Attempt = z.infer<typeof attemptSchema>;

const stampSchema = z
  .object({
    /** Unix seconds. */
    timestamp: z.string(),
    /** None without a secret. */
    signature: z.string().optional(),
  })
  .readonly();

/** What two of the headers say; the others follow from the delivery. */
export type Stamp = z.infer<typeof stampSchema>;

const originSchema = z
  .object({
    timestampSeconds: z.number(),
    /** By how much the sandbox's time was ahead of the machine's. */
    driftMs: z.number(),
  })
  .readonly();

/** When the first attempt of a schedule was signed. */
export type Origin = z.infer<typeof originSchema>;

/** One delivery as the sandbox keeps it; a change makes a new value. */
export const deliverySchema = z
  .object({
    id: z.string(),
    meetingId: z.string(),
    event: z.string(),
    url: z.string(),
    secret: z.string().optional(),
    body: z.string(),
    state: z.enum(['waiting', 'delivered', 'given_up', 'dropped']),
    fault: z.enum(['duplicate', 'reorder', 'bad_signature', 'stale_timestamp', 'drop']).optional(),
    /** How old the timestamp is made. */
    staleSeconds: z.number().optional(),
    /** Once somebody asked for it again, the fault is over. */
    isRedelivery: z.boolean(),
    attempts: z.array(attemptSchema).readonly(),
    /** How many attempts of the schedule were made. */
    attemptsMade: z.number(),
    /** The sandbox's time, Unix milliseconds; absent: the next one is due, where it is waiting. */
    nextAttemptAtMs: z.number().optional(),
    origin: originSchema.optional(),
    lastStamp: stampSchema.optional(),
  })
  .readonly();

export type Delivery = z.infer<typeof deliverySchema>;
