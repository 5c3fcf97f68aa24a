import type { FileHandle } from 'node:fs/promises';

import { reportChange, reportSystemFault } from './upload-fault.ts';

/** Fills all of `into` with what stands at `offset`; a file that ends before that has become shorter. */
export async function fillFromHandle(handle: FileHandle, into: Uint8Array, offset: number): Promise<void> {
  for (let filled = 0; filled < into.length;) {
    const bytesRead = await readSome(handle, into.subarray(filled), offset + filled);
    if (bytesRead === 0) throw reportChange('the file became shorter while it was being read');
    filled += bytesRead;
  }
}

async function readSome(handle: FileHandle, into: Uint8Array, offset: number): Promise<number> {
  try {
    return (await handle.read(into, 0, into.length, offset)).bytesRead;
  } catch (error) {
    throw reportSystemFault('the file cannot be read', error);
  }
}
