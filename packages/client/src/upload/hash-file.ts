import { createHash } from 'node:crypto';

import { sendChunks } from './send-chunks.ts';
import type { UploadJob } from './upload-job.ts';

/** SHA-256 of the whole file, which is read once for it. */
export async function hashFile({ file, plan, buffers, signal, report }: UploadJob): Promise<string> {
  const hash = createHash('sha256');
  report('checking', 0);
  await sendChunks({
    file,
    chunks: plan.chunks,
    buffers,
    hash,
    signal,
    isWanted: () => false,
    send: async () => {},
    onSent: async () => {},
    onSkipped: ({ offset, length }) => report('checking', offset + length),
  });
  return hash.digest('hex');
}
