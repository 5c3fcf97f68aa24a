import { createHash, hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { readWebhookEnvelope } from '@aftermeet/contract';
import type { Acceptance, EventJob, Refusal } from '@aftermeet/queue';
import { deliveryHeaderNames, type RefusalReason, verifyDelivery } from '@aftermeet/webhooks';

import type { Address } from './endpoints.ts';
import type { HeaderMismatch, Refused } from './outcome.ts';

/** In lower case, as Node gives them. */
export type ReceivedHeaderNames = Readonly<Record<'event' | 'signature' | 'timestamp' | 'delivery', string>>;

export interface DeliveryToExamine {
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  readonly headerNames: ReceivedHeaderNames;
  readonly body: Buffer;
  readonly secrets: readonly string[];
  /** It has neither signature nor timestamp, and its address accepts that. */
  readonly isUnsigned: boolean;
  readonly toleranceSeconds: number;
  readonly nowMs: number;
}

export type Examined =
  | { readonly kind: 'unverified'; readonly cause: RefusalReason }
  | { readonly kind: 'malformed'; readonly refusal: Refusal }
  | {
      readonly kind: 'genuine';
      readonly accept: Acceptance;
      /** The index of the secret that signed it; undefined for an unsigned delivery. */
      readonly secretIndex: number | undefined;
      readonly mismatches: readonly HeaderMismatch[];
    };

/** Covers a retry that was signed again days after the first attempt. */
const RETRY_WINDOW_SECONDS = 7 * 24 * 3600;

const plainId = /^[\x21-\x7e]{1,128}$/;

/**
 * Decides about one delivery, without I/O. The signature is checked first, over the bytes as they came; only then is
 * the body parsed. Event header and content type are not signed, so they decide nothing: the service never repeats what
 * gets a 4xx, and a proxy on the way may have changed them. Where they do not fit the body, `mismatches` says so.
 */
export function examineDelivery(delivery: DeliveryToExamine): Examined {
  const { address, headers, headerNames, body, isUnsigned, nowMs, toleranceSeconds } = delivery;
  const signature = headers[headerNames.signature];
  const timestamp = headers[headerNames.timestamp];
  let secretIndex: number | undefined;
  if (!isUnsigned) {
    const verified = verifyDelivery({
      body,
      signature,
      timestamp,
      secrets: delivery.secrets,
      nowSeconds: nowMs / 1000,
      toleranceSeconds,
    });
    if (!verified.ok) return { kind: 'unverified', cause: verified.reason };
    secretIndex = verified.secretIndex;
  }

  const deliveryId = readDeliveryId(headers[headerNames.delivery]);
  const receivedAt = formatTime(nowMs);
  const read = readWebhookEnvelope(body);
  if (!read.ok) {
    return {
      kind: 'malformed',
      refusal: {
        endpoint: address.endpoint,
        receivedAt,
        reason: read.reason,
        bytes: body.length,
        bodySha256: createHash('sha256').update(body).digest('hex'),
        ...(deliveryId === undefined ? {} : { deliveryId }),
      },
    };
  }
  const { endpoint, key } = address;
  // Assigned one by one: spreading optional fields costs as much as parsing the body.
  const job: EventJob = { endpoint, receivedAt, body: read.text };
  if (key !== undefined) job.key = key;
  if (deliveryId !== undefined) job.deliveryId = deliveryId;
  if (isUnsigned) job.isUnsigned = true;
  const { jobId, keepSeconds, deliveryKey } = isUnsigned
    ? identifyUnsigned({ endpoint, key, body, toleranceSeconds })
    : identifyDelivery({ endpoint, key, body, toleranceSeconds }, deliveryId);
  return {
    kind: 'genuine',
    secretIndex,
    mismatches: findMismatches(headers, headerNames.event, read.envelope.event),
    accept:
      deliveryKey === undefined ? { jobId, job, keepSeconds } : { jobId, job, keepSeconds, deliveryKey },
  };
}

/** Refuses what the head alone shows, before a byte of the body is read. */
export function refuseByHeaders(request: IncomingMessage): Refused | undefined {
  if (request.method !== 'POST') return { kind: 'wrong_method', cause: 'not a POST' };
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && !encoding.split(',').every(isIdentity)) {
    return { kind: 'wrong_encoding', cause: 'content-encoding other than identity' };
  }
  return undefined;
}

function isIdentity(encoding: string): boolean {
  const name = encoding.trim().toLowerCase();
  return name === '' || name === 'identity';
}

/** The names of a delivery's headers. Throws `RangeError` on an invalid prefix. */
export function receivedHeaderNames(prefix: string | undefined): ReceivedHeaderNames {
  const names = deliveryHeaderNames(prefix);
  return {
    event: names.event.toLowerCase(),
    signature: names.signature.toLowerCase(),
    timestamp: names.timestamp.toLowerCase(),
    delivery: names.delivery.toLowerCase(),
  };
}

const jsonType = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;
const noMismatches: readonly HeaderMismatch[] = [];

function findMismatches(
  headers: IncomingHttpHeaders,
  eventHeader: string,
  event: string,
): readonly HeaderMismatch[] {
  const type = headers['content-type'] ?? '';
  const fitsType = type === 'application/json' || type.trim() === '' || jsonType.test(type.trim());
  const fitsEvent = matchesEvent(headers[eventHeader], event);
  if (fitsType && fitsEvent) return noMismatches;
  return [...(fitsEvent ? [] : (['event'] as const)), ...(fitsType ? [] : (['content_type'] as const))];
}

/** An empty header counts as none. A repeated one matches when each line does. */
function matchesEvent(header: string | readonly string[] | undefined, event: string): boolean {
  if (header === undefined || header === event) return true;
  // Node joins repeated lines with a comma.
  return String(header)
    .split(',')
    .every((name) => name.trim() === '' || name.trim() === event);
}

/** The delivery id is not signed: it is stored only if it is short and printable. */
function readDeliveryId(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && plainId.test(value) ? value : undefined;
}

let formattedMs = Number.NaN;
let formatted = '';

/** ISO 8601, UTC. Many deliveries arrive in one millisecond, and formatting a date costs as much as a hash. */
function formatTime(ms: number): string {
  if (ms !== formattedMs) {
    formatted = new Date(ms).toISOString();
    formattedMs = ms;
  }
  return formatted;
}

interface Identity {
  readonly jobId: string;
  readonly keepSeconds: number;
  readonly deliveryKey?: string;
}

/** An address and the body that came to it. */
export interface ArrivedBody {
  readonly endpoint: string;
  /** The last part of the address in derive mode, from which the secret is derived. */
  readonly key: string | undefined;
  readonly body: Uint8Array;
  readonly toleranceSeconds: number;
}

/**
 * Address and body identify a delivery, because they are what one secret signed: a replay has the same, and so has a
 * retry that was signed again. The delivery id is not signed. If it identified a delivery, a captured request could
 * make another one look like a duplicate, so it only reveals conflicts (docs/decisions/0001).
 */
export function identifyDelivery(
  { endpoint, key, body, toleranceSeconds }: ArrivedBody,
  deliveryId: string | undefined,
): Identity {
  const jobId = hashParts('event', formatAddressParts(endpoint, key), body);
  const keepSeconds = findKeepSeconds(toleranceSeconds);
  if (deliveryId === undefined) return { jobId, keepSeconds };
  // Endpoint names contain no slash, so two different pairs never make the same text.
  return { jobId, keepSeconds, deliveryKey: `${endpoint}/${deliveryId}` };
}

/**
 * An unsigned delivery never has the job id of a signed one. Otherwise a sender that knows the address could send the
 * body unsigned first, and the signed delivery would count as its duplicate. It announces no delivery id either.
 */
export function identifyUnsigned({ endpoint, key, body, toleranceSeconds }: ArrivedBody): Identity {
  return {
    // Job ids are stored, so this word stays.
    jobId: hashParts('hint', formatAddressParts(endpoint, key), body),
    keepSeconds: findKeepSeconds(toleranceSeconds),
  };
}

/** Neither part contains a slash. */
function formatAddressParts(endpoint: string, key: string | undefined): string {
  return key === undefined ? endpoint : `${endpoint}/${key}`;
}

/** Longer than a captured request can be replayed. */
function findKeepSeconds(toleranceSeconds: number): number {
  return Math.max(RETRY_WINDOW_SECONDS, 2 * toleranceSeconds + 60);
}

/** The length precedes each part, so that two different lists of parts never hash alike. */
function hashParts(name: string, address: string, bytes: Uint8Array): string {
  const head = `${name.length}:${name}${address.length}:${address}${bytes.length}:`;
  // Addresses are ASCII, so characters are bytes. One call over one buffer costs a third of several updates.
  const message = Buffer.allocUnsafe(head.length + bytes.length);
  message.write(head, 0, 'latin1');
  message.set(bytes, head.length);
  return hash('sha256', message, 'hex');
}
