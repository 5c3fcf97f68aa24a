import { createHash } from 'node:crypto';

import { findDuplicate, planUpload } from '@aftermeet/client/pure';
import { limits } from '@aftermeet/contract/pure';

import { type ChunkSender, createChunkSender, type UploadFields, type UploadWorld } from './chunk-sender.ts';
import { type Completion, completeUpload } from './complete-upload.ts';
import { type OpenedRecording, type Recording, reportUnreadable } from './open-recording.ts';
import { createPieceReader } from './piece-reader.ts';
import { refuseUpload, reportStorage, throwIfCancelled } from './upload-fault.ts';

export interface UploadOutcome extends Completion {
  /** Of the whole file, lowercase hex. */
  readonly sha256: string;
  /** Data chunks that were sent. */
  readonly sent: number;
}

/**
 * Sends a recording in chunks and completes the upload (specification, "File upload"). One chunk is in memory at a
 * time. The file is read once and hashed on the way; one that turns out to be shorter or longer than n8n said is never completed.
 */
export async function sendRecording(
  world: UploadWorld,
  { size, open }: Recording,
  fields: UploadFields,
): Promise<UploadOutcome> {
  checkSize(size);
  const { chunks, chunkTotal } = planUpload(size, world.chunkBytes);
  const all = { ...fields, chunk_total: chunkTotal, expected_file_size: size };
  const sender = createChunkSender(world, all, chunks.length, Math.min(size, world.chunkBytes));
  throwIfCancelled(world.signal);
  const opened = await open();
  let run: ChunksRun;
  try {
    run = await sendChunks(
      world,
      sender,
      opened,
      chunks.map(({ length }) => length),
    );
  } finally {
    opened.close();
  }
  const { sha256, sent, duplicate } = run;
  if (duplicate !== undefined) return { meeting: duplicate, duplicate: true, sha256, sent };
  throwIfCancelled(world.signal);
  return { ...(await completeUpload(sender, all, sha256, world.clock())), sha256, sent };
}

interface ChunksRun {
  readonly sha256: string;
  readonly sent: number;
  /** Told by the service in its answer to a chunk: from there on the file is only read, for its hash. */
  readonly duplicate: Completion['meeting'] | undefined;
}

async function sendChunks(
  { signal }: UploadWorld,
  sender: ChunkSender,
  { pieces }: OpenedRecording,
  lengths: readonly number[],
): Promise<ChunksRun> {
  const hash = createHash('sha256');
  const reader = createPieceReader(pieces, {
    onTaken: (piece) => void hash.update(piece),
    explain: reportUnreadable,
  });
  const size = lengths.reduce((sum, length) => sum + length, 0);
  let taken = 0;
  let sent = 0;
  let duplicate: ChunksRun['duplicate'];
  for (const [number, length] of lengths.entries()) {
    throwIfCancelled(signal);
    const filled = await reader.take(sender.room(length));
    taken += filled;
    if (filled < length) throw reportSize(`ended after ${taken} of the ${size} bytes`);
    if (duplicate !== undefined) continue;
    duplicate = findDuplicate(await sender.send(number, length));
    sent += 1;
  }
  if ((await reader.take(new Uint8Array(1))) > 0) throw reportSize(`is longer than the ${size} bytes`);
  return { sha256: hash.digest('hex'), sent, duplicate };
}

function reportSize(what: string): Error {
  return reportStorage(`the binary file ${what} that n8n says it has: the upload was not completed`);
}

function checkSize(size: number): void {
  if (size === 0) throw refuseUpload('the file is empty: a recording has at least one byte');
  if (size > limits.uploadMaxBytes) {
    const words = `${limits.uploadMaxBytes} bytes (3 GB) can be uploaded, and it has ${size}`;
    throw refuseUpload(`the file is too large: at most ${words}`);
  }
}
