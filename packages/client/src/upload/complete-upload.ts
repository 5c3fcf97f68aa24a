import type { ChunkSender } from './chunk-sender.ts';
import { doubtCompletion, explainFailure, mayHaveWorked } from './completion-fault.ts';
import type { Attempt } from './journal.ts';
import { findDuplicate, findMeeting, type UploadAnswer, type UploadedMeeting } from './read-upload-answer.ts';
import { refuseUpload, throwIfAborted } from './upload-fault.ts';
import type { UploadJob } from './upload-job.ts';

export interface Completion {
  readonly meeting: UploadedMeeting;
  readonly duplicate: boolean;
  readonly raw: unknown;
}

/**
 * Sends the final, empty chunk (specification, "File upload", rule 3). It is repeated like the others: with the
 * same ids it completes the same upload. That it is about to be sent is noted before; throws when it can't be.
 * An answer that names no meeting is an `AmbiguousWriteError`; for the other failures see `explainFailure`.
 */
export async function completeUpload(
  job: UploadJob,
  attempt: Attempt,
  sender: ChunkSender,
  sha256: string,
): Promise<Completion> {
  throwIfAborted(job.signal);
  const { final } = attempt;
  const sentMs = typeof final === 'object' ? final.sentMs : job.connection.clock();
  await job.journal.noteFinal({ sentMs });
  const { answer, isInDoubt } = await sendFinal(job, attempt, sender, { sha256, sentMs });
  const { status, body } = answer;
  const duplicate = findDuplicate(answer);
  const meeting = duplicate ?? findMeeting(body);
  // After a lost answer the meeting that is there may be the one that this upload made.
  if (meeting !== undefined) return { meeting, duplicate: duplicate !== undefined && !isInDoubt, raw: body };
  throw doubtCompletion(job, { reason: 'the answer names no meeting', sentMs, status });
}

async function sendFinal(
  job: UploadJob,
  attempt: Attempt,
  sender: ChunkSender,
  { sha256, sentMs }: { readonly sha256: string; readonly sentMs: number },
): Promise<{ readonly answer: UploadAnswer; readonly isInDoubt: boolean }> {
  const [buffer] = job.buffers;
  if (buffer === undefined) throw refuseUpload('at least one chunk must be in flight');
  let isInDoubt = typeof attempt.final === 'object';
  const onFault = (error: unknown): void => {
    isInDoubt ||= mayHaveWorked(error);
  };
  try {
    const options = { sha256, signal: job.signal, onFault };
    const answer = await sender.send(job.plan.chunks.length, buffer, 0, options);
    return { answer, isInDoubt };
  } catch (error) {
    throw await explainFailure(job, attempt, error, isInDoubt ? sentMs : undefined);
  }
}
