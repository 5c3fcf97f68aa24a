import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { limits } from '@aftermeet/contract';

import { type ByteReader, createByteReader } from './byte-reader.ts';
import { fillFromHandle } from './fill-from-handle.ts';
import { reportSystemFault } from './upload-fault.ts';
import type { UploadFile } from './upload-file.ts';

const PIECE_BYTES = 1024 ** 2;

/**
 * A stream of which the size is not known: kept in a temporary file, because each request of an upload states
 * the size. The file is nameless while it is open, so that nothing is left when the process is killed.
 */
export async function spoolStream(
  stream: AsyncIterable<Uint8Array>,
  filename: string,
  signal: AbortSignal | undefined,
): Promise<UploadFile> {
  const reader = createByteReader(stream);
  try {
    const { handle, remove } = await openNameless();
    const close = async (): Promise<void> => {
      await handle.close();
      await remove();
    };
    try {
      const size = await spool(reader, handle, signal);
      return {
        size,
        filename,
        rereadable: true,
        fill: (into, offset) => fillFromHandle(handle, into, offset),
        verify: async () => {},
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  } finally {
    reader.stop();
  }
}

async function openNameless(): Promise<{ handle: FileHandle; remove: () => Promise<void> }> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'aftermeet-upload-'));
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
    const handle = await open(join(folder, 'stream'), 'wx+', 0o600);
    // Windows keeps an open file's folder: there it goes when the file is closed.
    await remove().catch(() => {});
    return { handle, remove };
  } catch (error) {
    throw reportSystemFault('no temporary file can be made', error);
  }
}

async function spool(
  reader: ByteReader,
  handle: FileHandle,
  signal: AbortSignal | undefined,
): Promise<number> {
  const piece = new Uint8Array(PIECE_BYTES);
  for (let size = 0; ;) {
    const length = await reader.read(piece, signal);
    await writePiece(handle, piece.subarray(0, length));
    size += length;
    // Of a stream without end no more is kept than it takes to know.
    if (length < piece.length || size > limits.uploadMaxBytes) return size;
  }
}

async function writePiece(handle: FileHandle, piece: Uint8Array): Promise<void> {
  try {
    await handle.writeFile(piece);
  } catch (error) {
    throw reportSystemFault('the temporary file cannot be written', error);
  }
}
