import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a key with the right one in a time that tells nothing about either, not even their lengths. The right one is not empty. */
export function isRightApiKey(given: string | undefined, apiKey: string): boolean {
  return timingSafeEqual(hash(given ?? ''), hash(apiKey));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
