import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';

/** What waits on this machine to be sent on: on the disk, whatever its size. */
export interface Spooled {
  readonly bytes: number;
  /** From its beginning, each time. */
  read(): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Lets go of it; again is harmless. */
  discard(): Promise<void>;
}

const pieceBytes = 64 * 1024;

/**
 * Writes a stream into a file that no folder lists: whatever becomes of this process, it goes with it. Undefined when
 * the stream is longer than `mostBytes`; the rest is not fetched. Throws what the stream or the disk throws.
 */
export async function spoolStream(
  stream: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Spooled | undefined> {
  // One that breaks before it is read says so when it is read; until then its event is not handled.
  if (stream instanceof Readable) stream.on('error', () => {});
  const handle = await openNameless();
  const discard = async (): Promise<void> => {
    await handle.close().catch(() => undefined);
  };
  try {
    let bytes = 0;
    for await (const piece of stream) {
      bytes += piece.length;
      // Leaving the loop ends the stream.
      if (bytes > mostBytes) break;
      await handle.appendFile(piece);
    }
    if (bytes <= mostBytes) return { bytes, read: () => readPieces(handle), discard };
  } catch (error) {
    await discard();
    throw error;
  }
  await discard();
  return undefined;
}

async function openNameless(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `aftermeet-${randomUUID()}`);
  try {
    return await open(file, 'wx+', 0o600);
  } finally {
    await rm(file, { force: true });
  }
}

/** A stream of Node's would close the file with itself (`FileHandle.createReadStream`, when it is destroyed). */
async function* readPieces(handle: FileHandle): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; ;) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(pieceBytes), 0, pieceBytes, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
