import type { DeliveryHeaderNames } from '@aftermeet/webhooks';

import type { Attempt, Delivery, DeliveryAttempt, DeliveryDetail, DeliveryView } from './delivery.ts';
import { readReceiver } from './read-receiver.ts';
import { listHeaders } from './sign-attempt.ts';

/** `isPlanned`: the next attempt waits for its time; otherwise it is under way. */
export function describeDelivery(delivery: Delivery, isPlanned: boolean): DeliveryView {
  const { id, meetingId, event, url, secret, state, attempts, fault, nextAttemptAtMs } = delivery;
  return {
    id,
    meetingId,
    event,
    receiver: readReceiver(url)?.origin ?? 'not an address of http or https',
    isSigned: secret !== undefined,
    state,
    attempts: attempts.map(describeAttempt),
    ...(isPlanned && nextAttemptAtMs !== undefined && { nextAttemptAt: formatTime(nextAttemptAtMs) }),
    ...(fault !== undefined && { fault }),
  };
}

export function describeWhole(
  delivery: Delivery,
  isPlanned: boolean,
  names: DeliveryHeaderNames,
): DeliveryDetail {
  const { body, lastStamp } = delivery;
  const list = lastStamp === undefined ? [] : listHeaders(delivery, lastStamp, names);
  const pairs = Array.from({ length: list.length / 2 }, (_, index) => list.slice(2 * index, 2 * index + 2));
  return { ...describeDelivery(delivery, isPlanned), body, headers: Object.fromEntries(pairs) };
}

function describeAttempt({ atMs, status, error, elapsedMs }: Attempt): DeliveryAttempt {
  return {
    at: formatTime(atMs),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    elapsedMs,
  };
}

/** Of a Date (ECMAScript); the sandbox's clock can be moved on beyond it. */
const latestTimeMs = 8.64e15;

function formatTime(timeMs: number): string {
  return new Date(Math.min(timeMs, latestTimeMs)).toISOString();
}
