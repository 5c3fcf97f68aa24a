import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const pieceBytes = 1024 * 1024;

/** The SHA-256 of several files as if they were one, lowercase hex. Rejects with the system's error when one cannot be read. */
export async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (const path of paths) {
    const file = await open(path);
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer);
        if (bytesRead === 0) break;
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }
  return hash.digest('hex');
}
