import { timingSafeEqual } from 'node:crypto';

import { deriveSecret } from './derive-secret.ts';

/** 128 bits, as hexadecimal digits. */
const tagLength = 32;

/**
 * The last part of an address that nobody can guess: `<name>.<32 hex digits>`, for `/hooks/<endpoint>/<key>`. Whoever
 * knows it was told by the holder of the master secret; that is all it proves. The same three texts give the same
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
