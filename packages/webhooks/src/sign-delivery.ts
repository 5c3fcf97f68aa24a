import { assertBytes, assertSecret, computeMac, formatSignature, maxTimestampSeconds } from './signature.ts';

export interface SignDeliveryInput {
  /** UTF-8; used as it is, never trimmed. */
  readonly secret: string;
  /** Unix time in whole seconds. */
  readonly timestampSeconds: number;
  /** Exactly the bytes that will be sent. */
  readonly body: Uint8Array;
}

/** The values of the timestamp and the signature header. */
export interface DeliverySignature {
  readonly timestamp: string;
  readonly signature: string;
}

/**
 * Signs a delivery as the service does: HMAC-SHA256 over the timestamp header's text, a full stop
 * and the body's bytes (specification, Events, signature rules).
 * Throws `RangeError` on a time that no receiver would accept, `TypeError` on a body that is not bytes.
 */
export function signDelivery({ secret, timestampSeconds, body }: SignDeliveryInput): DeliverySignature {
  assertSecret(secret, 'secret');
  assertBytes(body);
  if (!Number.isInteger(timestampSeconds) || timestampSeconds < 0 || timestampSeconds > maxTimestampSeconds) {
    throw new RangeError(
      `timestampSeconds must be a whole number of seconds from 0 to ${maxTimestampSeconds}, found ${timestampSeconds}.`,
    );
  }
  // -0 is a whole number too; as text it is `0`.
  const timestamp = String(timestampSeconds);
  return { timestamp, signature: formatSignature(computeMac(secret, `${timestamp}.`, body)) };
}
