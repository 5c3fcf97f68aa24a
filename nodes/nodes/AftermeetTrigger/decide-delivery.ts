import { type DeliveryHeaderNames, isStandardWebhook, verifyDelivery } from '@aftermeet/webhooks';

import type { DeliveryFacts } from './delivery-facts.ts';
import { makeDeliveryKey } from './delivery-key.ts';
import type { DeliveryReading } from './delivery-reading.ts';
import { type EventFilters, passesFilters } from './event-filters.ts';
import { readForwardedDelivery } from './read-forwarded-delivery.ts';
import { readServiceDelivery } from './read-service-delivery.ts';
import type { TriggerEvent } from './trigger-event.ts';

export interface DeliverySettings {
  /** Whose signature deliveries carry: the service's, or that of Aftermeet's receiver (Standard Webhooks). */
  readonly signedBy: 'service' | 'receiver';
  /** Every one that is valid now; at least one. */
  readonly secrets: readonly string[];
  /** Of the service's headers, in lower case. */
  readonly headerNames: DeliveryHeaderNames;
  readonly toleranceSeconds: number;
  readonly filters: EventFilters;
}

/** What a delivery is answered, in the words of Aftermeet's receiver. The sender learns nothing about the why of a 401. */
export interface DeliveryAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

export interface Decision extends DeliveryAnswer {
  /** What starts the workflow, and the key that it is known again by. */
  readonly accepted?: { readonly event: TriggerEvent; readonly key: string };
  /** Of a body that verifies but is no event: a name for the log. */
  readonly fault?: string;
}

export const accepted: DeliveryAnswer = { status: 200, body: { status: 'accepted' } };
export const duplicate: DeliveryAnswer = { status: 200, body: { status: 'duplicate' } };
/** The service never repeats another 4xx, so what is only not wanted is taken. */
export const ignored: DeliveryAnswer = { status: 200, body: { status: 'ignored' } };
/** To be sent again: the service repeats a 5xx. */
export const unavailable: DeliveryAnswer = {
  status: 503,
  body: { status: 'refused', reason: 'unavailable' },
};
const unauthorized: DeliveryAnswer = { status: 401, body: { status: 'refused', reason: 'unauthorized' } };
const malformed: DeliveryAnswer = { status: 400, body: { status: 'refused', reason: 'malformed' } };

/**
 * Decides over one delivery: first the signature, over the bytes as they came; only then is anything parsed (specification,
 * "Events", signature rules). No content of a request makes it throw; settings that can check nothing do (`RangeError`). Pure.
 */
export function decideDelivery(delivery: DeliveryFacts, settings: DeliverySettings, nowMs: number): Decision {
  if (!isGenuine(delivery, settings, nowMs / 1000)) return unauthorized;
  const read = readDelivery(delivery, settings);
  if (!read.ok) return { ...malformed, fault: read.fault };
  if (!passesFilters(read.event, settings.filters)) return ignored;
  return { ...accepted, accepted: { event: read.event, key: makeDeliveryKey(read.identity) } };
}

function isGenuine(delivery: DeliveryFacts, settings: DeliverySettings, nowSeconds: number): boolean {
  const { signedBy, secrets, headerNames, toleranceSeconds } = settings;
  if (signedBy === 'receiver') return isStandardWebhook(delivery, { secrets, nowSeconds, toleranceSeconds });
  const { body, headers } = delivery;
  const signature = headers[headerNames.signature];
  const timestamp = headers[headerNames.timestamp];
  return verifyDelivery({ body, signature, timestamp, secrets, nowSeconds, toleranceSeconds }).ok;
}

function readDelivery(delivery: DeliveryFacts, { signedBy, headerNames }: DeliverySettings): DeliveryReading {
  return signedBy === 'receiver'
    ? readForwardedDelivery(delivery)
    : readServiceDelivery(delivery, headerNames);
}
