import { randomUUID } from 'node:crypto';
import { open, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { DownloadProgress } from '../client.ts';
import { explainFileFault } from './file-fault.ts';
import type { OpenedExport } from './open-export.ts';
import { placeFile } from './place-file.ts';
import { cutToBytes } from './safe-filename.ts';

export interface SaveOptions {
  readonly overwrite: boolean;
  readonly onProgress: ((progress: DownloadProgress) => void) | undefined;
}

/** Of the target's name: enough to know the file by, should the process be killed. */
const MAX_NAME_BYTES = 100;

/**
 * Writes the file beside its target under a name that nobody can guess, then moves it into place: the target
 * is there whole or not at all. Returns its size in bytes. After any fault nothing is left behind.
 */
export async function saveFile(opened: OpenedExport, target: string, options: SaveOptions): Promise<number> {
  const name = cutToBytes(basename(target), MAX_NAME_BYTES);
  const temporary = join(dirname(target), `.${name}.${randomUUID()}.part`);
  try {
    const bytes = await writeTemporary(opened, temporary, options);
    await placeFile(temporary, target, options.overwrite);
    return bytes;
  } catch (error) {
    throw explainFileFault(error);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

async function writeTemporary(
  opened: OpenedExport,
  temporary: string,
  { onProgress }: SaveOptions,
): Promise<number> {
  const { totalBytes } = opened.rest;
  let receivedBytes = 0;
  async function* countPieces(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let piece: Uint8Array | undefined = opened.first; piece !== undefined;) {
      yield piece;
      receivedBytes += piece.length;
      onProgress?.({ receivedBytes, ...(totalBytes === undefined ? {} : { totalBytes }) });
      piece = await opened.rest.next();
    }
  }
  const handle = await open(temporary, 'wx');
  try {
    await writeFile(handle, countPieces());
    // Before the name is given: a file with its right name must not be empty after a power cut.
    await handle.sync();
  } finally {
    await handle.close();
  }
  return receivedBytes;
}
