import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';

const READ_BYTES = 512 * 1024;

/** The SHA-256 of the chunks of a file as if they were one, while they come in. */
export interface ContentHash {
  /** A chunk has come: hashes on in the background, as far as there is no gap. */
  readonly follow: () => void;
  /** Another file has taken the place of this chunk's. */
  readonly replace: (chunkNumber: number) => void;
  /** Of all chunks from the first to the gap, lowercase hex. Rejects with the system's error when one cannot be read. */
  readonly digest: () => Promise<string>;
}

/**
 * Reads each chunk from its file right after it was written, when the system still has it in memory: that costs no
 * more than to hash what comes in, and chunks may come in any order. Where a chunk is replaced that was hashed
 * already, everything is hashed again for the digest. `findPath` knows the file of a chunk that is there.
 */
export function createContentHash(findPath: (chunkNumber: number) => string | undefined): ContentHash {
  let hash = createHash('sha256');
  /** How many chunks are in the hash. */
  let count = 0;
  let isStale = false;
  let following: Promise<void> | undefined;

  const findNext = (): string | undefined => (isStale ? undefined : findPath(count));

  async function hashOn(): Promise<void> {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (let path = findNext(); path !== undefined; path = findNext()) {
      await hashFile(hash, path, buffer);
      count += 1;
    }
  }

  return {
    follow() {
      if (isStale) return;
      following ??= hashOn()
        .catch(() => {
          isStale = true;
        })
        .finally(() => {
          following = undefined;
        });
    },
    replace(chunkNumber) {
      if (chunkNumber < count || (chunkNumber === count && following !== undefined)) isStale = true;
    },
    async digest() {
      await following;
      if (isStale) {
        hash = createHash('sha256');
        count = 0;
        isStale = false;
      }
      try {
        await hashOn();
      } catch (error) {
        isStale = true;
        throw error;
      }
      return hash.copy().digest('hex');
    },
  };
}

async function hashFile(hash: Hash, path: string, buffer: Buffer): Promise<void> {
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return;
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
