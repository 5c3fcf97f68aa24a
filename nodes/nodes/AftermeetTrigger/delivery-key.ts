import { createHash } from 'node:crypto';

/** 22 characters of Base64, 128 bits. */
export const keyLength = 22;

/** What a delivery is known again by. JSON quotes every part of an identity, so no two read alike. Pure. */
export function makeDeliveryKey(identity: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(identity), 'utf8')
    .digest('base64url')
    .slice(0, keyLength);
}
