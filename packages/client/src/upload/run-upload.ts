import { randomUUID } from 'node:crypto';

import { AmbiguousWriteError } from '../ambiguous-write-error.ts';
import { findUploaded } from './find-uploaded.ts';
import { mayBeForgotten } from './forgotten-session.ts';
import { hashFile } from './hash-file.ts';
import type { Attempt } from './journal.ts';
import type { UploadedMeeting } from './read-upload-answer.ts';
import { RefusedCompletion } from './refused-completion.ts';
import { runAttempt, StaleNotes, type UploadOutcome } from './run-attempt.ts';
import type { UploadJob } from './upload-job.ts';

/**
 * Goes on with what an earlier run left, else looks whether the content was uploaded before, else sends all of it.
 * Where going on turns out to be impossible, everything is sent anew, once.
 */
export async function runUpload(job: UploadJob): Promise<UploadOutcome> {
  const unfinished = findUnfinished(job);
  if (unfinished !== undefined && unfinished.accepted.size > 0) return resume(job, unfinished, undefined);
  const { sha256, meeting } = await lookForDuplicate(job);
  if (sha256 !== undefined && meeting !== undefined) {
    return { meeting, duplicate: true, sha256, sent: 0, skipped: 0, raw: undefined };
  }
  return unfinished === undefined ? begin(job, makeAttempt(), sha256) : resume(job, unfinished, sha256);
}

/** By force an upload that may have become a meeting, or cannot become one, is another one. */
function findUnfinished({ journal: { unfinished }, force }: UploadJob): Attempt | undefined {
  return force && unfinished?.final !== 'unsent' ? undefined : unfinished;
}

async function resume(
  job: UploadJob,
  unfinished: Attempt,
  sha256: string | undefined,
): Promise<UploadOutcome> {
  try {
    return await begin(job, unfinished, sha256);
  } catch (error) {
    if (error instanceof StaleNotes) return begin(job, makeAttempt(), undefined);
    if (!isForgotten(error)) throw error;
    return begin(job, makeAttempt(unfinished.id), sha256);
  }
}

/** Not when the service may have made the meeting, nor when it refuses one that it has got anew. */
function isForgotten(error: unknown): boolean {
  if (error instanceof AmbiguousWriteError || error instanceof RefusedCompletion) return false;
  return mayBeForgotten(error);
}

/** One recording keeps its id, and every full attempt has a session of its own (observed). */
function makeAttempt(id: string = randomUUID()): Attempt {
  return { id, sessionId: randomUUID(), accepted: new Map(), final: 'unsent' };
}

async function begin(job: UploadJob, attempt: Attempt, sha256: string | undefined): Promise<UploadOutcome> {
  await job.journal.begin(attempt);
  return runAttempt(job, attempt, sha256);
}

interface Look {
  /** Undefined where the content was not looked at. */
  readonly sha256?: string;
  readonly meeting?: UploadedMeeting | undefined;
}

async function lookForDuplicate(job: UploadJob): Promise<Look> {
  const { finished, file } = job;
  if (finished === undefined || !file.rereadable || !(await finished.hasSize(file.size))) return {};
  const sha256 = await hashFile(job);
  return { sha256, meeting: await findUploaded(job, sha256) };
}
