import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { readWebhookEnvelope } from '@aftermeet/contract';
import type { Acceptance, EventJob, Refusal } from '@aftermeet/queue';
import { deliveryHeaderNames, type RefusalReason, verifyDelivery } from '@aftermeet/webhooks';

import type { Address } from './endpoints.ts';
import { identifyDelivery, identifyHint } from './identify-delivery.ts';

/** In lower case, as Node gives them. */
export type ReceivedHeaderNames = Readonly<Record<'event' | 'signature' | 'timestamp' | 'delivery', string>>;

export interface DeliveryToExamine {
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  readonly headerNames: ReceivedHeaderNames;
  readonly body: Buffer;
  readonly secrets: readonly string[];
  /** Whether a delivery without signature and timestamp is taken here, as a hint. */
  readonly takesHints: () => boolean;
  readonly toleranceSeconds: number;
  readonly nowMs: number;
}

export type Examined =
  | { readonly verdict: 'forged'; readonly cause: RefusalReason }
  | { readonly verdict: 'malformed'; readonly refusal: Refusal }
  | {
      readonly verdict: 'genuine';
      readonly accept: Acceptance;
      /** Which of the secrets signed it; none did of a hint. */
      readonly secretIndex: number | undefined;
    };

const plainId = /^[\x21-\x7e]{1,128}$/;

/**
 * Decides over one delivery, without I/O: the signature first, over the bytes as they came; only then is
 * anything parsed. The event header is not signed, so it may never decide where a delivery goes: it can
 * only disagree with the body.
 */
export function examineDelivery(delivery: DeliveryToExamine): Examined {
  const { address, headers, headerNames, body, nowMs, toleranceSeconds } = delivery;
  const signature = headers[headerNames.signature];
  const timestamp = headers[headerNames.timestamp];
  // One of the two headers alone is a signature that broke on its way, not an unsigned delivery.
  const isUnsigned = signature === undefined && timestamp === undefined && delivery.takesHints();
  let secretIndex: number | undefined;
  if (!isUnsigned) {
    const verdict = verifyDelivery({
      body,
      signature,
      timestamp,
      secrets: delivery.secrets,
      nowSeconds: nowMs / 1000,
      toleranceSeconds,
    });
    if (!verdict.ok) return { verdict: 'forged', cause: verdict.reason };
    secretIndex = verdict.secretIndex;
  }

  const deliveryId = readDeliveryId(headers[headerNames.delivery]);
  const receivedAt = formatTime(nowMs);
  const read = readWebhookEnvelope(body);
  const announced = headers[headerNames.event];
  if (!read.ok || !announces(announced, read.envelope.event)) {
    return {
      verdict: 'malformed',
      refusal: {
        endpoint: address.endpoint,
        receivedAt,
        reason: read.ok ? 'event_mismatch' : read.reason,
        bytes: body.length,
        bodySha256: createHash('sha256').update(body).digest('hex'),
        ...(deliveryId === undefined ? {} : { deliveryId }),
      },
    };
  }
  const { endpoint, key } = address;
  // Written out: spreading what may be absent costs as much as parsing the body.
  const job: EventJob = { endpoint, receivedAt, body: read.text };
  if (key !== undefined) job.key = key;
  if (deliveryId !== undefined) job.deliveryId = deliveryId;
  if (isUnsigned) job.isUnsigned = true;
  const { jobId, keepSeconds, announcedAs } = isUnsigned
    ? identifyHint({ endpoint, key, body, toleranceSeconds })
    : identifyDelivery({ endpoint, key, body, toleranceSeconds }, deliveryId);
  return {
    verdict: 'genuine',
    secretIndex,
    accept:
      announcedAs === undefined ? { jobId, job, keepSeconds } : { jobId, job, keepSeconds, announcedAs },
  };
}

/** The names of a delivery's headers as they are received. Throws `RangeError` on a prefix that can't be one. */
export function receivedHeaderNames(prefix: string | undefined): ReceivedHeaderNames {
  const names = deliveryHeaderNames(prefix);
  return {
    event: names.event.toLowerCase(),
    signature: names.signature.toLowerCase(),
    timestamp: names.timestamp.toLowerCase(),
    delivery: names.delivery.toLowerCase(),
  };
}

/** An empty header is none, and one that came twice is one when both say the same: a 400 would lose the event for ever. */
function announces(header: string | readonly string[] | undefined, event: string): boolean {
  if (header === undefined || header === event) return true;
  // Node joins lines of one name.
  return String(header)
    .split(',')
    .every((name) => name.trim() === '' || name.trim() === event);
}

/** An unsigned text of a stranger: kept for people only where it is short and printable. */
function readDeliveryId(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && plainId.test(value) ? value : undefined;
}

let formattedMs = Number.NaN;
let formatted = '';

/** ISO 8601, UTC. Many deliveries arrive in one millisecond, and a date costs as much as a hash. */
function formatTime(ms: number): string {
  if (ms !== formattedMs) {
    formatted = new Date(ms).toISOString();
    formattedMs = ms;
  }
  return formatted;
}
