import { createHash } from 'node:crypto';

import { type ChunkSender, createChunkSender } from './chunk-sender.ts';
import { completeUpload } from './complete-upload.ts';
import { findUploaded } from './find-uploaded.ts';
import type { Attempt } from './journal.ts';
import type { PlannedChunk } from './plan-upload.ts';
import { findDuplicate, type UploadedMeeting } from './read-upload-answer.ts';
import { sendChunks } from './send-chunks.ts';
import { reportChange } from './upload-fault.ts';
import type { UploadJob } from './upload-job.ts';

/** What an attempt came to. */
export interface UploadOutcome {
  readonly meeting: UploadedMeeting;
  readonly duplicate: boolean;
  readonly sha256: string;
  readonly sent: number;
  readonly skipped: number;
  /** The answer that names the meeting; undefined where nothing was asked. */
  readonly raw: unknown;
}

/** The file is not the one of which an earlier run noted chunks, though size and time are the same. */
export class StaleNotes extends Error {
  override readonly name = 'StaleNotes';
}

/**
 * Sends the chunks that the service does not have yet, and completes the upload. Throws `StaleNotes`, and
 * `conflict` without completing when the source has changed meanwhile.
 *
 * `knownSha256`: of the whole file, where it was read before.
 */
export async function runAttempt(
  job: UploadJob,
  attempt: Attempt,
  knownSha256: string | undefined,
): Promise<UploadOutcome> {
  const { file, plan, signal, report } = job;
  const { id, sessionId } = attempt;
  const identity = {
    id,
    sessionId,
    filename: file.filename,
    size: file.size,
    chunkTotal: plan.chunkTotal,
    details: job.fillDetails(id),
  };
  const sender = createChunkSender({ ...job, identity });
  const run = await sendMissing(job, attempt, sender, knownSha256);
  await file.verify(signal);
  if (knownSha256 !== undefined && knownSha256 !== run.sha256) {
    throw reportChange('the content changed between two readings');
  }
  const known = run.duplicate ?? (await findUploaded(job, run.sha256));
  if (known !== undefined) return { ...run, meeting: known, duplicate: true };
  report('completing', file.size);
  return { ...run, ...(await completeUpload(job, attempt, sender, run.sha256)) };
}

interface ChunksRun {
  readonly sha256: string;
  readonly sent: number;
  readonly skipped: number;
  /** Told by the service in its answer to a chunk. */
  readonly duplicate: UploadedMeeting | undefined;
  readonly raw: unknown;
}

async function sendMissing(
  { file, plan, buffers, journal, signal, report }: UploadJob,
  { accepted }: Attempt,
  sender: ChunkSender,
  sha256: string | undefined,
): Promise<ChunksRun> {
  const hash = createHash('sha256');
  const skipped = plan.chunks.filter(({ number }) => accepted.has(number));
  let doneBytes = addLengths(skipped);
  let sent = 0;
  let duplicate: UploadedMeeting | undefined;
  let raw: unknown;

  report(skipped.length > 0 ? 'checking' : 'sending', 0);
  await sendChunks({
    file,
    chunks: plan.chunks,
    buffers,
    hash,
    signal,
    isWanted: ({ number }) => duplicate === undefined && !accepted.has(number),
    send: async ({ number, length }, buffer, runSignal) => {
      const answer = await sender.send(number, buffer, length, { sha256, signal: runSignal });
      const meeting = findDuplicate(answer);
      if (meeting !== undefined) [duplicate, raw] = [meeting, answer.body];
    },
    onSent: async ({ number, length }, digest) => {
      sent += 1;
      doneBytes += length;
      await journal.accept(number, digest);
      report('sending', doneBytes);
    },
    onSkipped: ({ number, offset, length }, digest) => {
      const noted = accepted.get(number);
      if (noted !== undefined && noted !== digest) throw new StaleNotes();
      report('checking', offset + length);
    },
  });
  return { sha256: hash.digest('hex'), sent, skipped: skipped.length, duplicate, raw };
}

function addLengths(chunks: readonly PlannedChunk[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
