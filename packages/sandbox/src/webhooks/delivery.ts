import type { DeliveryHeaderNames } from '@aftermeet/webhooks';
import { z } from 'zod';

import type { DeliveryFault } from '../faults.ts';

const attemptSchema = z
  .object({
    /** The time of the sandbox, Unix milliseconds. */
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
    /** Absent without a secret. */
    signature: z.string().optional(),
  })
  .readonly();

/** Two of the headers of an attempt; the others follow from the delivery. */
export type SignatureValues = z.infer<typeof stampSchema>;

const firstSigningSchema = z
  .object({
    timestampSeconds: z.number(),
    /** How far the time of the sandbox was ahead of the machine. */
    aheadMs: z.number(),
  })
  .readonly();

/** When the first attempt was signed. */
export type FirstSigning = z.infer<typeof firstSigningSchema>;

export const deliverySchema = z
  .object({
    id: z.string(),
    meetingId: z.string(),
    event: z.string(),
    url: z.string(),
    secret: z.string().optional(),
    /** JSON; sent in UTF-8. */
    body: z.string(),
    state: z.enum(['waiting', 'delivered', 'given_up', 'dropped']),
    fault: z.enum(['duplicate', 'reorder', 'bad_signature', 'stale_timestamp', 'drop']).optional(),
    /** How old the timestamp is made. */
    staleSeconds: z.number().optional(),
    /** A redelivery has no fault. */
    isRedelivery: z.boolean(),
    attempts: z.array(attemptSchema).readonly(),
    /** Since the delivery or its redelivery was ordered. */
    attemptsMade: z.number(),
    /** The time of the sandbox, Unix milliseconds; absent on a waiting delivery: the next attempt is due. */
    nextAttemptAtMs: z.number().optional(),
    firstSigning: firstSigningSchema.optional(),
    lastStamp: stampSchema.optional(),
  })
  .readonly();

/** One delivery as the sandbox stores it; a change makes a new value. */
export type Delivery = z.infer<typeof deliverySchema>;

/** One attempt, as the control routes show it. */
export interface DeliveryAttempt {
  /** ISO 8601, UTC; the time of the sandbox. */
  readonly at: string;
  /** The answer of the receiver, if any. */
  readonly status?: number;
  /** Why there was none: `timeout`, `ECONNREFUSED`, ... */
  readonly error?: string;
  readonly elapsedMs: number;
}

/** A delivery without secrets: neither the secret nor the path of the receiver, which may be one. */
export interface DeliveryView {
  readonly id: string;
  readonly meetingId: string;
  readonly event: string;
  /** Origin of the receiver. */
  readonly receiver: string;
  readonly isSigned: boolean;
  /** `dropped`: a fault kept it from being sent. */
  readonly state: Delivery['state'];
  /** The newest 50. */
  readonly attempts: readonly DeliveryAttempt[];
  /** ISO 8601, UTC; present while another attempt is planned. */
  readonly nextAttemptAt?: string;
  readonly fault?: DeliveryFault['kind'];
}

export interface DeliveryDetail extends DeliveryView {
  /** JSON, exactly as sent. */
  readonly body: string;
  /** Of the last attempt; empty before the first has ended. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `isPlanned`: the next attempt waits for its time; otherwise it is under way. */
export function describeDelivery(delivery: Delivery, isPlanned: boolean): DeliveryView {
  const { id, meetingId, event, url, secret, state, attempts, fault, nextAttemptAtMs } = delivery;
  return {
    id,
    meetingId,
    event,
    receiver: parseReceiver(url)?.origin ?? 'not an address of http or https',
    isSigned: secret !== undefined,
    state,
    attempts: attempts.map(({ atMs, status, error, elapsedMs }) => ({
      at: new Date(atMs).toISOString(),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
      elapsedMs,
    })),
    ...(isPlanned &&
      nextAttemptAtMs !== undefined && { nextAttemptAt: new Date(nextAttemptAtMs).toISOString() }),
    ...(fault !== undefined && { fault }),
  };
}

export function describeDeliveryDetail(
  delivery: Delivery,
  isPlanned: boolean,
  names: DeliveryHeaderNames,
): DeliveryDetail {
  const { body, lastStamp } = delivery;
  const list = lastStamp === undefined ? [] : listHeaders(delivery, lastStamp, names);
  const pairs = Array.from({ length: list.length / 2 }, (_, index) => list.slice(2 * index, 2 * index + 2));
  return { ...describeDelivery(delivery, isPlanned), body, headers: Object.fromEntries(pairs) };
}

/** The headers of a delivery (specification, Events) as `node:http` takes them: names and values in turn. */
export function listHeaders(
  delivery: Delivery,
  stamp: SignatureValues,
  names: DeliveryHeaderNames,
): string[] {
  const list = [
    'Content-Type',
    'application/json',
    'User-Agent',
    'aftermeet-sandbox',
    names.event,
    delivery.event,
    names.delivery,
    delivery.id,
    names.timestamp,
    stamp.timestamp,
  ];
  if (stamp.signature !== undefined) list.push(names.signature, stamp.signature);
  return list;
}

/** Where a delivery goes, as `node:http` takes it. */
export interface Receiver {
  readonly origin: string;
  readonly isSecure: boolean;
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  /** Of the Host header. */
  readonly host: string;
  /** With the query; it may be a capability. */
  readonly path: string;
}

/** Undefined when the address is not one of http or https. */
export function parseReceiver(address: string): Receiver | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  const { protocol, origin, hostname, port, host, pathname, search } = url;
  const isSecure = protocol === 'https:';
  if (!isSecure && protocol !== 'http:') return undefined;
  return {
    origin,
    isSecure,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    host,
    path: pathname + search,
  };
}
