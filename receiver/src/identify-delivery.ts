import { hash } from 'node:crypto';

/** A re-signed retry may come days after the first attempt. */
const RETRY_WINDOW_SECONDS = 7 * 24 * 3600;

export interface Identity {
  readonly jobId: string;
  readonly keepSeconds: number;
  readonly announcedAs?: string;
}

/** An address of ours and what came to it. */
export interface ArrivedBody {
  readonly endpoint: string;
  /** The last part of the address in derive mode, which decides over the secret. */
  readonly key: string | undefined;
  readonly body: Uint8Array;
  readonly toleranceSeconds: number;
}

/**
 * What makes a delivery the same as an earlier one: address and body, which is what one secret signed. A replay of the same
 * bytes has them, and so has a retry that was signed again. The delivery id is not signed: alone, anyone who
 * captured one request could make another look like a duplicate, so it only tells of conflicts
 * (docs/decisions/0001).
 */
export function identifyDelivery(
  { endpoint, key, body, toleranceSeconds }: ArrivedBody,
  deliveryId: string | undefined,
): Identity {
  const jobId = hashParts('event', addressOf(endpoint, key), body);
  const keepSeconds = keepFor(toleranceSeconds);
  if (deliveryId === undefined) return { jobId, keepSeconds };
  // The name of an endpoint has no slash, so no two pairs make the same text.
  return { jobId, keepSeconds, announcedAs: `${endpoint}/${deliveryId}` };
}

/**
 * The same for a delivery that nobody signed. Its job id is never that of a signed one, or whoever knows the address
 * could send a hint first and have the signed delivery taken for its duplicate. It announces nothing either.
 */
export function identifyHint({ endpoint, key, body, toleranceSeconds }: ArrivedBody): Identity {
  return {
    jobId: hashParts('hint', addressOf(endpoint, key), body),
    keepSeconds: keepFor(toleranceSeconds),
  };
}

/** Neither part has a slash. */
function addressOf(endpoint: string, key: string | undefined): string {
  return key === undefined ? endpoint : `${endpoint}/${key}`;
}

/** Longer than any captured request can be replayed. */
function keepFor(toleranceSeconds: number): number {
  return Math.max(RETRY_WINDOW_SECONDS, 2 * toleranceSeconds + 60);
}

/** Each part is preceded by its length, so that no two lists of parts hash alike. */
function hashParts(name: string, address: string, bytes: Uint8Array): string {
  const head = `${name.length}:${name}${address.length}:${address}${bytes.length}:`;
  // Addresses are ASCII, so the length of the text is its length in bytes. One call over one piece of
  // memory costs a third of a hash that is fed piece by piece.
  const message = Buffer.allocUnsafe(head.length + bytes.length);
  message.write(head, 0, 'latin1');
  message.set(bytes, head.length);
  return hash('sha256', message, 'hex');
}
