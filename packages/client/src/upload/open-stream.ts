import { createByteReader } from './byte-reader.ts';
import { refuseUpload } from './upload-fault.ts';
import type { UploadFile } from './upload-file.ts';

/** A stream of which the size is known: it goes straight into the chunks. */
export function openStream(stream: AsyncIterable<Uint8Array>, filename: string, size: number): UploadFile {
  const reader = createByteReader(stream);
  let taken = 0;
  return {
    size,
    filename,
    rereadable: false,
    async fill(into, _offset, signal) {
      const filled = await reader.read(into, signal);
      taken += filled;
      if (filled < into.length) {
        throw refuseUpload(`the stream ended after ${taken} bytes of the ${size} that were announced`);
      }
    },
    async verify(signal) {
      if ((await reader.read(new Uint8Array(1), signal)) > 0) {
        throw refuseUpload(`the stream is longer than the ${size} bytes that were announced`);
      }
    },
    close: async () => reader.stop(),
  };
}
