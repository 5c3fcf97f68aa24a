import type { DeliveryHeaderNames } from '@aftermeet/webhooks';

import type { DeliveryFault } from '../faults.ts';

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

/** Two of the headers of an attempt; the others follow from the delivery. */
export interface SignatureValues {
  /** Unix seconds. */
  readonly timestamp: string;
  /** Absent without a secret. */
  readonly signature?: string | undefined;
}

/** What a delivery is about, and where it goes. */
export interface DeliveryOrder {
  readonly id: string;
  readonly meetingId: string;
  readonly event: string;
  readonly url: string;
  readonly secret?: string | undefined;
  /** JSON; sent in UTF-8. */
  readonly body: string;
}

/** One delivery of the list of what was sent. The sender changes it. */
export interface Delivery {
  readonly order: DeliveryOrder;
  /** Undefined when the address is not one of http or https. */
  readonly receiver: URL | undefined;
  readonly fault: DeliveryFault | undefined;
  state: 'waiting' | 'delivered' | 'given_up' | 'dropped';
  attempts: readonly DeliveryAttempt[];
  /** Present while the next attempt waits for its time. */
  next: { readonly atMs: number; readonly cancel: () => void } | undefined;
  /** Counts the runs: 0, then one for each time it was sent again. A repetition has no fault. */
  run: number;
  lastStamp: SignatureValues | undefined;
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

export function describeDelivery({ order, receiver, fault, state, attempts, next }: Delivery): DeliveryView {
  return {
    id: order.id,
    meetingId: order.meetingId,
    event: order.event,
    receiver: receiver?.origin ?? 'not an address of http or https',
    isSigned: order.secret !== undefined,
    state,
    attempts,
    ...(next !== undefined && { nextAttemptAt: new Date(next.atMs).toISOString() }),
    ...(fault !== undefined && { fault: fault.kind }),
  };
}

/** The headers of a delivery (specification, Events). */
export function listHeaders(
  { id, event }: DeliveryOrder,
  stamp: SignatureValues,
  names: DeliveryHeaderNames,
): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'aftermeet-sandbox',
    [names.event]: event,
    [names.delivery]: id,
    [names.timestamp]: stamp.timestamp,
    ...(stamp.signature !== undefined && { [names.signature]: stamp.signature }),
  };
}

/** Where a delivery goes. Undefined when the address is not one of http or https. */
export function parseReceiver(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}
