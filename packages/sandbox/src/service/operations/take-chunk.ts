import { limits } from '@aftermeet/contract';

import { refuseTemplate } from '../report/refuse-template.ts';
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
  // With the first chunk, not behind the last one of a large file.
  const refusal = refuseTemplate(world, input.template_name);
  if (refusal !== undefined) return refusal;
  const upload = world.uploads.open(input);
  if (upload === undefined) return answerReplacedSession();
  const first = upload.facts.chunkTotal;
  if (first !== chunkTotal) {
    const message = `chunk_total must be the same in all chunks; the first one said ${String(first)}.`;
    return answerError(400, 'INVALID_REQUEST', message, 'chunk_total');
  }
  world.uploads.note(upload, input);
  if (chunkNumber === chunkTotal - 1) return completeUpload(world, upload, input);
  // What comes while the final request is checked may be what that one lacks: it is kept once that one was refused.
  while (upload.completion !== undefined) await upload.completion.catch(() => {});
  if (!world.uploads.isCurrent(upload)) return answerReplacedSession();
  // Of an upload that is complete, every chunk is here already.
  if (upload.facts.result === undefined) {
    const bytes = upload.bytes - (upload.chunks.get(chunkNumber)?.bytes ?? 0) + file.bytes;
    if (bytes > limits.uploadMaxBytes) return refuseSize(bytes);
    await world.uploads.keepChunk(upload, chunkNumber, file);
  }
  return answerJson(200, { accepted: chunkNumber });
}

/** The limit is in the specification, its answer is assumed. */
function refuseSize(bytes: number): ServiceAnswer {
  const message = `With this chunk the file has ${String(bytes)} bytes, and ${String(limits.uploadMaxBytes)} (3 GB) is the most.`;
  return answerError(413, 'FILE_TOO_LARGE', message, 'file');
}
