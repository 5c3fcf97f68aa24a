// What the platform offers: fetch with FormData, and the file as a Blob that is read when it is sent.
import { openAsBlob } from 'node:fs';

const chunkBytes = 20 * 1024 ** 2;

export async function prepare({ baseUrl, path }) {
  return async () => {
    const blob = await openAsBlob(path);
    for (let offset = 0; offset < blob.size; offset += chunkBytes) {
      const form = new FormData();
      form.set('chunk_number', String(offset / chunkBytes));
      form.set('file', blob.slice(offset, offset + chunkBytes), 'bench.mp4');
      const response = await fetch(`${baseUrl}/api/video`, { method: 'POST', body: form });
      await response.text();
    }
  };
}
