import { createHmac } from 'node:crypto';

/**
 * HMAC-SHA256 (RFC 2104) over the parts, one after the other: 32 bytes.
 * The one place where a MAC is made, so that what signs and what verifies cannot drift apart.
 */
export function computeMac(
  key: string | Uint8Array,
  first: string | Uint8Array,
  second?: string | Uint8Array,
): Buffer {
  const hmac = createHmac('sha256', key).update(first);
  return (second === undefined ? hmac : hmac.update(second)).digest();
}
