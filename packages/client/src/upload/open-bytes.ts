import type { UploadFile } from './upload-file.ts';

/** Bytes in memory. */
export function openBytes(bytes: Uint8Array, filename: string): UploadFile {
  return {
    size: bytes.length,
    filename,
    rereadable: true,
    fill: async (into, offset) => into.set(bytes.subarray(offset, offset + into.length)),
    verify: async () => {},
    close: async () => {},
  };
}
