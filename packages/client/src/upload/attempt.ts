import { createHash } from 'node:crypto';

import { operations } from '@aftermeet/contract';

import { findVerifyCall, toAmbiguousWriteError } from '../ambiguous-write.ts';
import type { UploadDetails, UploadProgress } from '../client.ts';
import { AmbiguousWriteError, ServiceError } from '../errors.ts';
import { type Connection, sendRequest } from '../http.ts';
import type { FormDetails } from '../inputs.ts';
import {
  type ChunkBuffer,
  findDuplicate,
  findMeeting,
  mayMeanUnknownSession,
  type UploadAnswer,
  type UploadedMeeting,
  type UploadPlan,
} from './chunk-format.ts';
import { sendChunks } from './chunk-run.ts';
import { type ChunkSender, createChunkSender, type Transport } from './chunk-sender.ts';
import { refuseUpload, sourceChanged, throwIfAborted, uploading } from './upload-errors.ts';
import type { UploadFile } from './upload-file.ts';
import { type Attempt, NO_STATE, type UploadState } from './upload-state.ts';

/** Everything that one upload needs, whichever attempt it is. */
export interface UploadJob {
  readonly connection: Connection;
  readonly transport: Transport;
  readonly file: UploadFile;
  readonly details: UploadDetails;
  /** The details as they stand in the forms of the upload with this id. */
  readonly fillDetails: (uploadId: string) => FormDetails;
  readonly plan: UploadPlan;
  readonly buffers: readonly ChunkBuffer[];
  /** Of the forms; the buffers have room for it. */
  readonly boundary: string;
  readonly state: UploadState;
  /** Ignores earlier uploads of the content, and a meeting that an earlier run may have made without learning of it. */
  readonly force: boolean;
  readonly signal: AbortSignal | undefined;
  readonly report: (step: UploadProgress['step'], doneBytes: number) => void;
  /** Lets what else is under way go on; called after each MiB that was hashed. */
  readonly giveWay: () => Promise<void>;
}

/** What an attempt came to. */
export interface UploadOutcome {
  readonly meeting: UploadedMeeting;
  readonly duplicate: boolean;
  readonly sha256: string;
  readonly sent: number;
  readonly skipped: number;
  /** The answer that names the meeting; undefined if nothing was asked. */
  readonly raw: unknown;
}

/** The file is not the one whose chunks an earlier run stored, though size and time are the same. */
export class StaleState extends Error {
  override readonly name = 'StaleState';
}

/**
 * Sends the chunks that the service does not have yet, and completes the upload. Throws `StaleState`, and `conflict`
 * without completing if the source has changed meanwhile.
 *
 * `knownSha256`: of the whole file, if it was read before.
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
    throw sourceChanged('the content changed between two readings');
  }
  const known = run.duplicate ?? (await findUploaded(job, run.sha256));
  if (known !== undefined) return { ...run, meeting: known, duplicate: true };
  report('completing', file.size);
  return { ...run, ...(await completeUpload(job, attempt, sender, run.sha256)) };
}

interface SentChunks {
  readonly sha256: string;
  readonly sent: number;
  readonly skipped: number;
  /** Told by the service in its answer to a chunk. */
  readonly duplicate: UploadedMeeting | undefined;
  readonly raw: unknown;
}

async function sendMissing(
  { file, plan, buffers, state, signal, report, giveWay }: UploadJob,
  { accepted }: Attempt,
  sender: ChunkSender,
  sha256: string | undefined,
): Promise<SentChunks> {
  const hash = createHash('sha256');
  const skipped = plan.chunks.filter(({ number }) => accepted.has(number));
  let doneBytes = skipped.reduce((sum, { length }) => sum + length, 0);
  // By chunk: what has left of those that are under way.
  const leaving = new Map<number, number>();
  let told = skipped.length > 0 ? doneBytes : -1;
  const reportSending = (): void => {
    const bytes = [...leaving.values()].reduce((sum, left) => sum + left, doneBytes);
    if (bytes !== told) report('sending', bytes);
    told = bytes;
  };
  let sent = 0;
  let duplicate: UploadedMeeting | undefined;
  let raw: unknown;

  if (skipped.length > 0) report('checking', 0);
  else reportSending();
  await sendChunks({
    file,
    chunks: plan.chunks,
    buffers,
    hash,
    giveWay,
    signal,
    isWanted: ({ number }) => duplicate === undefined && !accepted.has(number),
    send: async ({ number, length }, buffer, runSignal) => {
      const answer = await sender.send(number, buffer, length, {
        sha256,
        signal: runSignal,
        onWritten(bytes) {
          leaving.set(number, bytes);
          if (bytes < length) reportSending();
        },
      });
      const meeting = findDuplicate(answer);
      if (meeting !== undefined) [duplicate, raw] = [meeting, answer.body];
    },
    onSent: async ({ number, length }, digest) => {
      sent += 1;
      doneBytes += length;
      leaving.delete(number);
      await state.accept(number, digest);
      reportSending();
    },
    onSkipped: ({ number, offset, length }, digest) => {
      const stored = accepted.get(number);
      if (stored !== undefined && stored !== digest) throw new StaleState();
      report('checking', offset + length);
    },
  });
  return { sha256: hash.digest('hex'), sent, skipped: skipped.length, duplicate, raw };
}

/** SHA-256 of the whole file, which is read once for it. */
export async function hashFile({ file, plan, buffers, signal, report, giveWay }: UploadJob): Promise<string> {
  const hash = createHash('sha256');
  report('checking', 0);
  await sendChunks({
    file,
    chunks: plan.chunks,
    buffers,
    hash,
    giveWay,
    signal,
    isWanted: () => false,
    send: async () => {},
    onSent: async () => {},
    onSkipped: ({ offset, length }) => report('checking', offset + length),
  });
  return hash.digest('hex');
}

const GONE_STATUS = 404;

/** The meeting that this content became before, as stored. One that the service does not have any more is forgotten. */
export async function findUploaded(job: UploadJob, sha256: string): Promise<UploadedMeeting | undefined> {
  const { state, file, force } = job;
  if (force) return undefined;
  const meeting = (await state.findFinished(file.size)).get(sha256);
  if (meeting === undefined) return undefined;
  if (!(await isGone(job, meeting))) return meeting;
  await state.forgetFinished(sha256);
  return undefined;
}

/** Asked once. A service that cannot answer is no reason to send everything again. */
async function isGone({ connection, signal }: UploadJob, { meetingId }: UploadedMeeting): Promise<boolean> {
  const once = { ...connection, retries: 0 };
  const input = { meetingId };
  try {
    await sendRequest(once, operations.recordings.status, input, signal === undefined ? {} : { signal });
    return false;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'aborted') throw error;
    return error.status === GONE_STATUS;
  }
}

interface Completion {
  readonly meeting: UploadedMeeting;
  readonly duplicate: boolean;
  readonly raw: unknown;
}

/**
 * Sends the final, empty chunk (specification, "File upload", rule 3). It is repeated like the others: with the same
 * ids it completes the same upload. That it is about to be sent is stored before; throws if it cannot be. An answer that
 * names no meeting is an `AmbiguousWriteError`; for the other failures see `toCompletionError`.
 */
async function completeUpload(
  job: UploadJob,
  attempt: Attempt,
  sender: ChunkSender,
  sha256: string,
): Promise<Completion> {
  throwIfAborted(job.signal);
  const { final } = attempt;
  const sentMs = typeof final === 'object' ? final.sentMs : job.connection.clock();
  await job.state.recordFinalRequest({ sentMs });
  const { answer, isOutcomeOpen } = await sendFinal(job, attempt, sender, { sha256, sentMs });
  const { status, body } = answer;
  const duplicate = findDuplicate(answer);
  const meeting = duplicate ?? findMeeting(body);
  if (meeting === undefined) {
    throw ambiguousCompletion(job, { reason: 'the answer names no meeting', sentMs, status });
  }
  // After a lost answer the meeting that exists may be the one that this upload made.
  return { meeting, duplicate: duplicate !== undefined && !isOutcomeOpen, raw: body };
}

async function sendFinal(
  job: UploadJob,
  attempt: Attempt,
  sender: ChunkSender,
  { sha256, sentMs }: { readonly sha256: string; readonly sentMs: number },
): Promise<{ readonly answer: UploadAnswer; readonly isOutcomeOpen: boolean }> {
  const [buffer] = job.buffers;
  if (buffer === undefined) throw refuseUpload('at least one chunk must be in flight');
  let isOutcomeOpen = typeof attempt.final === 'object';
  const onFault = (error: unknown): void => {
    isOutcomeOpen ||= mayHaveCompleted(error);
  };
  try {
    const options = { sha256, signal: job.signal, onFault };
    const answer = await sender.send(job.plan.chunks.length, buffer, 0, options);
    return { answer, isOutcomeOpen };
  } catch (error) {
    throw await toCompletionError(job, attempt, error, isOutcomeOpen ? sentMs : undefined);
  }
}

/** Whether a final request that failed like this may have made a meeting all the same. */
function mayHaveCompleted(error: unknown): boolean {
  return toAmbiguousWriteError(error, { operation: uploading, input: {}, nowMs: 0 }) !== error;
}

const NO_ANSWER = 'an earlier final request got no answer';

/**
 * What the failure of the final request means. `openSinceMs`: when the first one was sent that may have taken effect, in
 * this run or an earlier one.
 *
 * A service that has completed an upload may answer the same request later as if it had never known the session: that
 * is an `AmbiguousWriteError`, and so is every open outcome; with a state `resumesAtCompletion` says that it can be asked
 * again with the same ids. Otherwise a refusal of chunks that this run has all sent `resumesAtCompletion`.
 */
async function toCompletionError(
  job: UploadJob,
  attempt: Attempt,
  error: unknown,
  openSinceMs: number | undefined,
): Promise<unknown> {
  if (openSinceMs === undefined) return toRefusal(job, attempt, error);
  if (mayMeanUnknownSession(error)) {
    const reason = `${NO_ANSWER}, and this one was refused`;
    return ambiguousCompletion(job, { reason, sentMs: openSinceMs, status: error.status, cause: error });
  }
  if (mayHaveCompleted(error)) {
    return toAmbiguousWriteError(error, {
      operation: uploading,
      input: job.details,
      nowMs: openSinceMs,
      resumesAtCompletion: job.state !== NO_STATE,
    });
  }
  const facts = error instanceof ServiceError ? { status: error.status, cause: error } : {};
  return ambiguousCompletion(job, { reason: NO_ANSWER, sentMs: openSinceMs, ...facts });
}

async function toRefusal({ state }: UploadJob, attempt: Attempt, error: unknown): Promise<unknown> {
  const { accepted, final } = attempt;
  // A session of an earlier run may have been forgotten since: then the chunks are sent again, once.
  const isFinal = mayMeanUnknownSession(error) && (accepted.size === 0 || final === 'refused');
  // If it cannot be stored, the outcome is open for the next run, which then sends nothing again.
  await state.recordFinalRequest(isFinal ? 'refused' : final).catch(() => {});
  return isFinal && state !== NO_STATE ? error.with({ resumesAtCompletion: true }) : error;
}

interface OpenOutcome {
  readonly reason: string;
  readonly sentMs: number;
  readonly status?: number | undefined;
  readonly cause?: ServiceError;
}

/** The search that shows whether the meeting exists begins with the day on which it was asked for. */
function ambiguousCompletion(
  { details, state }: UploadJob,
  { reason, sentMs, status, cause }: OpenOutcome,
): AmbiguousWriteError {
  return new AmbiguousWriteError({
    operation: uploading,
    reason,
    resumesAtCompletion: state !== NO_STATE,
    verifyWith: findVerifyCall(uploading.id, details, sentMs),
    status,
    cause,
  });
}
