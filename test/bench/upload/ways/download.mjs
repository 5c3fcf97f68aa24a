// An export of as many bytes as the file at `path` has, into a file of its own.
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createClient } from '../../../../packages/client/dist/index.js';

export async function prepare({ baseUrl, path, workplace }) {
  const client = createClient({ baseUrl, apiKey: 'key_of_the_bench' });
  const { size } = statSync(path);
  return async () => {
    const target = join(workplace, 'export.pdf');
    const input = { meetingId: 'm_bench', format: 'pdf', templateName: String(size) };
    const { bytes } = await client.exports.download(input, target);
    await rm(target);
    if (bytes !== size) throw new Error(`${bytes} bytes instead of ${size}`);
  };
}
