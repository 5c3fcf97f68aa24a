import type { DeliveryHeaderNames } from '@aftermeet/webhooks';

import type { DeliveryFault } from '../faults.ts';

export interface Attempt {
  /** The time of the sandbox, Unix milliseconds. */
  readonly atMs: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly elapsedMs: number;
}

/** Two of the headers of an attempt; the others follow from the delivery. */
export interface SignatureValues {
  /** Unix seconds. */
  readonly timestamp: string;
  /** Absent without a secret. */
  readonly signature?: string | undefined;
}

/** When the first attempt was signed. */
export interface FirstSigning {
  readonly timestampSeconds: number;
  /** How far the time of the sandbox was ahead of the machine. */
  readonly aheadMs: number;
}

/** One delivery as the sandbox stores it; a change makes a new value. */
export interface Delivery {
  readonly id: string;
  readonly meetingId: string;
  readonly event: string;
  readonly url: string;
  readonly secret?: string | undefined;
  /** JSON; sent in UTF-8. */
  readonly body: string;
  readonly state: 'waiting' | 'delivered' | 'given_up' | 'dropped';
  readonly fault?: DeliveryFault['kind'] | undefined;
  /** How old the timestamp is made. */
  readonly staleSeconds?: number | undefined;
  /** A redelivery has no fault. */
  readonly isRedelivery: boolean;
  readonly attempts: readonly Attempt[];
  /** Since the delivery or its redelivery was ordered. */
  readonly attemptsMade: number;
  /** The time of the sandbox, Unix milliseconds; absent on a waiting delivery: the next attempt is due. */
  readonly nextAttemptAtMs?: number | undefined;
  readonly firstSigning?: FirstSigning | undefined;
  readonly lastStamp?: SignatureValues | undefined;
}

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
