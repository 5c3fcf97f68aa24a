import { rm } from 'node:fs/promises';

import { createContentHash } from './content-hash.ts';
import type { LoadedUpload } from './upload-journal.ts';
import type { ChunkInput, Upload, UploadFacts } from './upload.ts';

/** What the first request of an attempt says. */
export function describeAttempt(input: ChunkInput): UploadFacts {
  return {
    id: input.id,
    sessionId: input.upload_session_id,
    filename: input.filename,
    chunkTotal: input.chunk_total,
    requests: 0,
    lastRequestMs: 0,
    details: {},
  };
}

/** An upload with the chunks that an earlier process left. */
export function startUpload({ facts, chunks }: LoadedUpload): Upload {
  const own = new Map(chunks);
  return {
    facts,
    chunks: own,
    bytes: [...own.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    content: createContentHash((number) => own.get(number)?.path),
    completion: undefined,
  };
}

/** Removes the chunks' files. None of them is a chunk any more when this returns. */
export async function dropFiles({ chunks }: Upload): Promise<void> {
  const paths = [...chunks.values()].map(({ path }) => path);
  chunks.clear();
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}
