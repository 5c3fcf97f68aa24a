import { timingSafeEqual } from 'node:crypto';

import { assertSecret, computeMac } from './signature.ts';

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

/** 128 bits, as hexadecimal digits. */
const tagLength = 32;

/**
 * The last part of an address that cannot be guessed: `<name>.<32 hex digits>`, for `/hooks/<endpoint>/<key>`. A sender
 * who knows it was told by the holder of the master secret; that is all it proves. The same three texts give the same
 * key at all times, so nothing needs to be stored.
 * `name` is yours (a meeting's id, a customer): letters, digits, `_` and `-`, at most 64.
 * Throws `RangeError` on another name, and what `deriveSecret` throws.
 */
export function deriveCapabilityKey(master: string, endpoint: string, name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) {
    throw new RangeError('The name of a capability must be 1 to 64 letters, digits, _ and -.');
  }
  return `${name}.${tagOf(master, endpoint, name)}`;
}

/** True when `deriveCapabilityKey` made this key, compared in constant time. Never throws on any key. */
export function isCapabilityKey(master: string, endpoint: string, key: string): boolean {
  const [, name, tag] = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.([0-9a-f]{32})$/.exec(key) ?? [];
  if (name === undefined || tag === undefined) return false;
  return timingSafeEqual(Buffer.from(tag), Buffer.from(tagOf(master, endpoint, name)));
}

/** The prefix keeps these apart from every secret: no address may be a secret of another one. */
function tagOf(master: string, endpoint: string, name: string): string {
  return deriveSecret(master, endpoint, `capability:${name}`).slice(0, tagLength);
}
