import { limits } from '@aftermeet/contract';

/**
 * Bytes for the contract's schema in place of those that are on disk. Its rules look at nothing but how many there
 * are: none, some, or more than a chunk may have. Only for the last, which is refused, that many are made.
 */
export function makeStandInBytes(count: number): Uint8Array {
  return new Uint8Array(count > limits.uploadChunkBytes ? count : Math.min(count, 1));
}
