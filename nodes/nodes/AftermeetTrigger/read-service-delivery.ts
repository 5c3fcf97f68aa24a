import { readWebhookEnvelope } from '@aftermeet/contract/pure';

import { type DeliveryFacts, readDeliveryId } from './delivery-facts.ts';
import type { DeliveryReading } from './delivery-reading.ts';
import { readKnownData } from './read-known-data.ts';

/** Header names in lower case. */
interface HintNames {
  readonly event: string;
  readonly delivery: string;
}

/**
 * Reads the body of a delivery of the service whose signature is right (specification, "Events"). The event header is not
 * signed: it may not decide anything, but one that says something else than the body is a fault, as for Aftermeet's receiver. Pure.
 */
export function readServiceDelivery({ body, headers }: DeliveryFacts, names: HintNames): DeliveryReading {
  const read = readWebhookEnvelope(body);
  if (!read.ok) return { ok: false, fault: read.reason };
  const { event, meeting_id: meetingId, timestamp } = read.envelope;
  const announced = (headers[names.event] ?? []).map((line) => line.trim());
  if (!announced.every((name) => name === '' || name === event))
    return { ok: false, fault: 'event_mismatch' };
  return {
    ok: true,
    event: {
      event,
      meeting_id: meetingId,
      timestamp,
      ...readKnownData(read.data),
      delivery_id: readDeliveryId(headers[names.delivery]),
    },
    // Never the delivery id: a retry may carry a new one.
    identity: ['service', event, meetingId, timestamp],
  };
}
