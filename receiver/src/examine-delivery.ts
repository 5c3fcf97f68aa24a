import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { readWebhookEvent } from '@aftermeet/contract';
import type { Acceptance, Refusal } from '@aftermeet/queue';
import { verifyDelivery } from '@aftermeet/webhooks';

import type { Address } from './endpoints.ts';
import { identifyDelivery } from './identify-delivery.ts';

export interface DeliveryToExamine {
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  /** In lower case, as Node gives them. */
  readonly headerNames: Readonly<Record<'event' | 'signature' | 'timestamp' | 'delivery', string>>;
  readonly body: Buffer;
  readonly secrets: readonly string[];
  readonly toleranceSeconds: number;
  readonly nowMs: number;
}

export type Examined =
  | { readonly verdict: 'forged'; readonly cause: string }
  | { readonly verdict: 'malformed'; readonly refusal: Refusal }
  | { readonly verdict: 'genuine'; readonly accept: Acceptance };

const plainId = /^[\x21-\x7e]{1,128}$/;

/**
 * Decides over one delivery, without I/O: the signature first, over the bytes as they came; only then is
 * anything parsed. The event header is not signed, so it may never decide where a delivery goes: it can
 * only disagree with the body.
 */
export function examineDelivery(delivery: DeliveryToExamine): Examined {
  const { address, headers, headerNames, body, nowMs, toleranceSeconds } = delivery;
  const verdict = verifyDelivery({
    body,
    signature: headers[headerNames.signature],
    timestamp: headers[headerNames.timestamp],
    secrets: delivery.secrets,
    nowSeconds: nowMs / 1000,
    toleranceSeconds,
  });
  if (!verdict.ok) return { verdict: 'forged', cause: verdict.reason };

  const deliveryId = readDeliveryId(headers[headerNames.delivery]);
  const receivedAt = new Date(nowMs).toISOString();
  const read = readWebhookEvent(body);
  const announced = headers[headerNames.event];
  const problem = !read.ok
    ? read.reason
    : announced !== undefined && announced !== read.event.event
      ? 'event_mismatch'
      : undefined;
  if (!read.ok || problem !== undefined) {
    return {
      verdict: 'malformed',
      refusal: {
        endpoint: address.endpoint,
        receivedAt,
        reason: problem ?? 'wrong_shape',
        bytes: body.length,
        bodySha256: createHash('sha256').update(body).digest('hex'),
        ...(deliveryId === undefined ? {} : { deliveryId }),
      },
    };
  }
  return {
    verdict: 'genuine',
    accept: {
      ...identifyDelivery({
        endpoint: address.endpoint,
        deliveryId,
        mac: verdict.mac,
        body,
        toleranceSeconds,
      }),
      job: {
        endpoint: address.endpoint,
        receivedAt,
        body: read.text,
        ...(address.key === undefined ? {} : { key: address.key }),
        ...(deliveryId === undefined ? {} : { deliveryId }),
      },
    },
  };
}

/** An unsigned text of a stranger: kept for people only where it is short and printable. */
function readDeliveryId(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && plainId.test(value) ? value : undefined;
}
