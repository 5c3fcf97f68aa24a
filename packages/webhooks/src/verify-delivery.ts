import { timingSafeEqual } from 'node:crypto';

import { assertBytes, assertSecret, computeMac, isTimestampText, parseSignature } from './signature.ts';

/** A header as Node gives it: `headers[name]` or, better, `headersDistinct[name]`, which keeps doubled lines apart. */
export type HeaderValue = string | readonly string[] | undefined;

/** Why a delivery was refused. For logs and metrics only: the sender gets the same 401 for all of them. */
export type RefusalReason =
  | 'missing_signature'
  | 'malformed_signature'
  | 'doubled_signature'
  | 'missing_timestamp'
  | 'malformed_timestamp'
  | 'doubled_timestamp'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature';

/** `secretIndex` is the place of the secret that matched. */
export type VerifyDeliveryResult =
  | { readonly ok: true; readonly secretIndex: number }
  | { readonly ok: false; readonly reason: RefusalReason };

export interface VerifyDeliveryInput {
  /** The raw bytes as they came. */
  readonly body: Uint8Array;
  readonly signature: HeaderValue;
  readonly timestamp: HeaderValue;
  /** Every secret that is valid now: during a rotation the new one and the old one. UTF-8, never trimmed. */
  readonly secrets: readonly string[];
  /** The receiver's clock; fractions are fine. */
  readonly nowSeconds: number;
  /** How far the timestamp may lie from now, in either direction, inclusive. */
  readonly toleranceSeconds?: number;
}

/**
 * Decides whether a delivery comes from a holder of one of the secrets, and is fresh
 * (specification, Events, signature rules 2 to 4).
 * No content of header or body makes it throw. A wrong call does (`TypeError`, `RangeError`):
 * a check that is silently off is worse than none.
 */
export function verifyDelivery({
  body,
  signature,
  timestamp,
  secrets,
  nowSeconds,
  toleranceSeconds = 300,
}: VerifyDeliveryInput): VerifyDeliveryResult {
  assertBytes(body);
  assertSecrets(secrets);
  const head = readHead({ signature, timestamp, nowSeconds, toleranceSeconds });
  if (!head.ok) return head;
  const { received } = head;

  // The signed message holds the header's text, not the number read from it.
  const prefix = `${head.timestamp}.`;
  let secretIndex = -1;
  // Every secret is tried, even after a match: the time must not show which secret matched.
  for (const [index, secret] of secrets.entries()) {
    const isMatch = timingSafeEqual(computeMac(secret, prefix, body), received);
    if (isMatch && secretIndex === -1) secretIndex = index;
  }
  if (secretIndex === -1) return refuse('wrong_signature');
  return { ok: true, secretIndex };
}

/** What is known of a delivery before its body is read. */
export type DeliveryHead = Pick<
  VerifyDeliveryInput,
  'signature' | 'timestamp' | 'nowSeconds' | 'toleranceSeconds'
>;

/**
 * Why a delivery will be refused whatever its body is: a header that is missing, malformed or doubled, or a timestamp out
 * of the tolerance. A server need not read the body then. Undefined: the body decides.
 */
export function findHeadRefusal(head: DeliveryHead): RefusalReason | undefined {
  const read = readHead(head);
  return read.ok ? undefined : read.reason;
}

type HeadRead =
  | { readonly ok: true; readonly received: Buffer; readonly timestamp: string }
  | { readonly ok: false; readonly reason: RefusalReason };

function readHead({ signature, timestamp, nowSeconds, toleranceSeconds = 300 }: DeliveryHead): HeadRead {
  assertSeconds(nowSeconds, 'nowSeconds');
  assertSeconds(toleranceSeconds, 'toleranceSeconds');
  const signatureLine = readLine(signature);
  if (!signatureLine.ok) return refuse(`${signatureLine.fault}_signature`);
  const received = parseSignature(signatureLine.text);
  if (received === undefined) return refuse('malformed_signature');

  const timestampLine = readLine(timestamp);
  if (!timestampLine.ok) return refuse(`${timestampLine.fault}_timestamp`);
  if (!isTimestampText(timestampLine.text)) return refuse('malformed_timestamp');

  const ageSeconds = nowSeconds - Number(timestampLine.text);
  if (ageSeconds > toleranceSeconds) return refuse('too_old');
  if (ageSeconds < -toleranceSeconds) return refuse('too_new');
  return { ok: true, received, timestamp: timestampLine.text };
}

type HeaderLine =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: 'missing' | 'malformed' | 'doubled' };

/** Takes a header only when it stood exactly once: with two lines a proxy in between may read the other one. */
function readLine(value: HeaderValue): HeaderLine {
  if (Array.isArray(value) && value.length > 1) return { ok: false, fault: 'doubled' };
  const line: unknown = Array.isArray(value) ? value[0] : value;
  if (line === undefined) return { ok: false, fault: 'missing' };
  return typeof line === 'string' ? { ok: true, text: line } : { ok: false, fault: 'malformed' };
}

function refuse(reason: RefusalReason): { readonly ok: false; readonly reason: RefusalReason } {
  return { ok: false, reason };
}

function assertSecrets(secrets: readonly string[]): void {
  if (!Array.isArray(secrets)) throw new TypeError('secrets must be a list of strings.');
  if (secrets.length === 0) throw new RangeError('secrets is empty: with no secret nothing can be verified.');
  for (const secret of secrets) assertSecret(secret, 'secret');
}

function assertSeconds(seconds: number, name: string): void {
  if (typeof seconds !== 'number') throw new TypeError(`${name} must be a number, found ${typeof seconds}.`);
  if (!Number.isFinite(seconds) || seconds < 0) {
    throw new RangeError(`${name} must be a finite number of seconds, 0 or more, found ${seconds}.`);
  }
}
