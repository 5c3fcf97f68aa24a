import { createHash, timingSafeEqual } from 'node:crypto';

/** What is kept of a key: it cannot be made into the key again. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Compares a key with the hash of the right one in a time that tells nothing about either, not even their lengths. */
export function isRightApiKey(given: string | undefined, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashApiKey(given ?? '')), Buffer.from(hash));
}
