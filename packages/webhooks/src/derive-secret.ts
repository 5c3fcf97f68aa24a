import { assertSecret } from './assertions.ts';
import { computeMac } from './compute-mac.ts';

// Separates these MACs from every other use of the same master, and carries a version.
const label = 'aftermeet webhook secret v1\0';

/**
 * The secret of one address: 64 lowercase hex digits, the same for the same three texts at all times
 * and on every machine, so that nothing needs to be stored.
 * HMAC-SHA256 with the master as key over the label, then endpoint and key, each as UTF-8 with its
 * length in bytes before it (32 bits, big-endian): no two different pairs give the same message.
 * Throws `TypeError` on a value that is no string, `RangeError` on an empty master or on text with
 * half a surrogate pair, which UTF-8 cannot tell apart from others. An empty key is a key like any other.
 */
export function deriveSecret(master: string, endpoint: string, key: string): string {
  assertSecret(master, 'master secret');
  const message = Buffer.concat([
    Buffer.from(label),
    encodePart(endpoint, 'endpoint'),
    encodePart(key, 'key'),
  ]);
  return computeMac(master, message).toString('hex');
}

function encodePart(text: string, name: string): Buffer {
  if (typeof text !== 'string') throw new TypeError(`The ${name} must be a string, found ${typeof text}.`);
  if (/\p{Surrogate}/u.test(text)) throw new RangeError(`The ${name} holds half of a surrogate pair.`);
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
