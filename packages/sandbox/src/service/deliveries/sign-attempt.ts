import { signDelivery, type DeliveryHeaderNames } from '@aftermeet/webhooks';

import type { Delivery, Origin, Stamp } from './delivery.ts';

/** The largest that `signDelivery` takes: eleven digits. */
const largestTimestamp = 99_999_999_999;

/**
 * The time that an attempt carries when retries are not signed again: the first attempt's, byte for byte, as long as
 * the sandbox's time runs like the machine's. Where it runs faster or was moved on, a receiver, which has the machine's
 * time, would find it too young; so it is as much older as the sandbox's time got ahead since then.
 * `driftMs`: by how much the sandbox's time is ahead of the machine's now.
 */
export function ageTimestamp(origin: Origin, driftMs: number): number {
  // Behind is no news: an attempt may come later than it was due.
  const aheadMs = Math.max(0, driftMs - origin.driftMs);
  return origin.timestampSeconds - Math.floor(aheadMs / 1000);
}

/** Timestamp and signature of an attempt, with what the delivery's fault makes of them. */
export function stampAttempt(delivery: Delivery, body: Uint8Array, timestampSeconds: number): Stamp {
  const { secret, staleSeconds = 0 } = delivery;
  const fault = delivery.isRedelivery ? undefined : delivery.fault;
  const shownSeconds = fault === 'stale_timestamp' ? timestampSeconds - staleSeconds : timestampSeconds;
  const bounded = Math.min(Math.max(0, shownSeconds), largestTimestamp);
  if (secret === undefined) {
    const timestamp = String(bounded);
    return fault === 'bad_signature' ? { timestamp, signature: nobodysSignature } : { timestamp };
  }
  const stamp = signDelivery({ secret, timestampSeconds: bounded, body });
  return fault === 'bad_signature' ? { ...stamp, signature: spoil(stamp.signature) } : stamp;
}

/** The headers of a delivery (specification, Events) that say something of it, names and values by turns. */
export function listHeaders(delivery: Delivery, stamp: Stamp, names: DeliveryHeaderNames): string[] {
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

const nobodysSignature = `sha256=${'0'.repeat(64)}`;

/** Of the right form, with another last digit. */
function spoil(signature: string): string {
  return `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;
}
