import { asFields, asText } from '@aftermeet/client/pure';

import { type DeliveryFacts, readDeliveryId } from './delivery-facts.ts';
import type { DeliveryReading } from './delivery-reading.ts';
import { readKnownData } from './read-known-data.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads what Aftermeet's receiver sends on by its recipe `http-forward`, once its signature is right: `type`, `timestamp` and
 * `data`, which holds the meeting with its summary, decisions and tasks. Every attempt has the same `webhook-id`. Pure.
 */
export function readForwardedDelivery({ body, headers }: DeliveryFacts): DeliveryReading {
  const fields = parseFields(body);
  if (fields === undefined) return { ok: false, fault: 'not_json' };
  const event = asText(fields['type']);
  const meetingId = asText(asFields(fields['data'])?.['meeting_id']);
  if (event === undefined || meetingId === undefined) return { ok: false, fault: 'wrong_shape' };
  const [id = ''] = headers['webhook-id'] ?? [];
  return {
    ok: true,
    event: {
      event,
      meeting_id: meetingId,
      timestamp: asText(fields['timestamp']) ?? null,
      ...readKnownData(fields['data']),
      delivery_id: readDeliveryId(headers['webhook-id']),
    },
    // It is signed, unlike the delivery id of the service.
    identity: ['receiver', id],
  };
}

function parseFields(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    return asFields(JSON.parse(decoder.decode(body)));
  } catch {
    // What is no JSON in UTF-8 is a value here; the parser's own message would quote it.
    return undefined;
  }
}
