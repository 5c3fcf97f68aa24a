import type { Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

const TURN_BYTES = 1024 ** 2;

/**
 * Hashes the bytes a MiB at a time and lets everything else have its turn in between: a chunk that is being sent
 * meanwhile goes on being sent.
 */
export async function hashInTurns(hash: Hash, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    hash.update(bytes.subarray(at, at + TURN_BYTES));
    await setImmediate();
  }
}
