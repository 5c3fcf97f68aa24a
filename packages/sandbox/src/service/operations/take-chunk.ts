import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';
import { answerReplacedSession, completeUpload } from '../uploads/complete-upload.ts';
import type { ReceivedFile } from '../uploads/receive-form.ts';
import type { ChunkInput } from '../uploads/upload.ts';

/**
 * Takes one chunk of a file: in any order, any number of times. The final one completes the upload. What the
 * others are answered is not shown; here it is the number of the chunk.
 */
export async function takeChunk(
  world: SandboxWorld,
  input: ChunkInput,
  file: ReceivedFile,
): Promise<ServiceAnswer> {
  const { chunk_number: chunkNumber, chunk_total: chunkTotal } = input;
  const upload = world.uploads.open(input);
  if (upload === undefined) return answerReplacedSession();
  if (upload.chunkTotal !== chunkTotal) {
    const message = `chunk_total must be the same in all chunks; the first one said ${String(upload.chunkTotal)}.`;
    return answerError(400, 'INVALID_REQUEST', message, 'chunk_total');
  }
  upload.requests += 1;
  Object.assign(upload.details, input);
  if (chunkNumber === chunkTotal - 1) return completeUpload(world, upload, input);
  // Of an upload that is complete, or about to be, every chunk is here already.
  if (upload.completion === undefined) await world.uploads.keepChunk(upload, chunkNumber, file);
  return answerJson(200, { accepted: chunkNumber });
}
