import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { describeKind } from '@aftermeet/contract';

import type {
  FindWebhookTarget,
  UploadDetails,
  UploadOptions,
  UploadResult,
  UploadSource,
} from '../client.ts';
import { AmbiguousWriteError } from '../errors.ts';
import type { Connection } from '../http.ts';
import type { FormDetails } from '../inputs.ts';
import { refuseInput } from '../service-fault.ts';
import { fillWebhook } from '../webhook-target.ts';
import {
  findUploaded,
  hashFile,
  runAttempt,
  StaleState,
  type UploadJob,
  type UploadOutcome,
} from './attempt.ts';
import { createChunkBuffer, mayMeanUnknownSession, planUpload } from './chunk-format.ts';
import { buildChunkForm, measureForm } from './chunk-sender.ts';
import { refuseOtherTypes } from './media-type.ts';
import { nameSource, openSource } from './source.ts';
import { openState } from './state.ts';
import { openTransport } from './transport.ts';
import { throwIfAborted, uploading } from './upload-errors.ts';
import type { UploadFile } from './upload-file.ts';
import { type Attempt, NO_STATE } from './upload-state.ts';

const MAX_PARALLEL = 4;
/** Bytes by which the webhook address of another attempt may be longer. */
const ADDRESS_ROOM = 4096;

export interface UploadFacts {
  readonly connection: Connection;
  readonly webhookTargets?: FindWebhookTarget | undefined;
  /** At most 20 MiB. */
  readonly chunkBytes: number;
}

/** Uploads a source; see `UploadOptions`. What breaks a rule is refused before the first byte is sent. */
export async function sendUpload(
  facts: UploadFacts,
  source: UploadSource,
  details: UploadDetails,
  options: UploadOptions,
): Promise<UploadResult> {
  const { parallel = 1, signal } = options;
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > MAX_PARALLEL) {
    const expected = `a whole number from 1 to ${MAX_PARALLEL}`;
    const received = describeKind(parallel);
    throw refuseInput(uploading, [{ path: ['parallel'], code: 'invalid', expected, received }]);
  }
  // The rules that do not depend on the content.
  const form = { filename: nameSource(source), details: fillDetails(facts, details, randomUUID()) };
  buildChunkForm({ ...makeIds(), ...form, size: 1, chunkTotal: 2 }, 1, new Uint8Array(0));
  throwIfAborted(signal);
  const file = await openSource(source);
  try {
    if (options.anyType !== true) await refuseOtherTypes(file, signal);
    return await sendFile(facts, file, details, { ...options, parallel });
  } finally {
    await file.close();
  }
}

async function sendFile(
  facts: UploadFacts,
  file: UploadFile,
  details: UploadDetails,
  { parallel, stateFolder, force = false, signal, onProgress }: UploadOptions & { readonly parallel: number },
): Promise<UploadResult> {
  const { connection, chunkBytes } = facts;
  const { size, filename, identity } = file;
  const plan = planUpload(size, chunkBytes);
  const { chunkTotal } = plan;
  const boundary = `aftermeet-${randomUUID()}`;
  const ids = makeIds();
  const formDetails = fillDetails(facts, details, ids.id);
  const room = measureForm({ ...ids, filename, size, details: formDetails, chunkTotal }, boundary);
  if (details.endpoint !== undefined) room.head += ADDRESS_ROOM;
  const inFlight = Math.min(parallel, plan.chunks.length);
  // Only a file with a path can be resumed.
  const state =
    stateFolder === undefined || identity === undefined
      ? NO_STATE
      : await openState({ folder: stateFolder, connection, identity, details, size, chunkBytes });
  const transport = openTransport(connection, inFlight);
  try {
    const { meeting, sha256, sent, skipped, duplicate, raw } = await runUpload({
      connection,
      transport,
      file,
      details,
      fillDetails: (uploadId) => fillDetails(facts, details, uploadId),
      plan,
      buffers: Array.from({ length: inFlight }, () =>
        createChunkBuffer(Math.min(chunkBytes, size), room.head, room.tail),
      ),
      boundary,
      state,
      force,
      signal,
      giveWay: setImmediate,
      report: (step, doneBytes) => onProgress?.({ step, doneBytes, totalBytes: size }),
    });
    await state.finish(sha256, meeting);
    const chunks = { total: plan.chunks.length, sent, skipped };
    return { ...meeting, duplicate, bytes: size, sha256, chunks, raw };
  } finally {
    transport.close();
    await state.release();
  }
}

/** The id stays the same when an upload is resumed, so the address that is made of it does too. */
function fillDetails({ webhookTargets }: UploadFacts, details: UploadDetails, name: string): FormDetails {
  const filled = fillWebhook(details, { kind: 'upload', name }, webhookTargets);
  if (!filled.ok) throw refuseInput(uploading, [filled.problem]);
  return filled.fields;
}

function makeIds(): Pick<Attempt, 'id' | 'sessionId'> {
  return { id: randomUUID(), sessionId: randomUUID() };
}

/**
 * Resumes what an earlier run left, else checks whether the content was uploaded before, else sends all of it. If
 * resuming turns out to be impossible, everything is sent again, once.
 */
async function runUpload(job: UploadJob): Promise<UploadOutcome> {
  const { state, force, file } = job;
  // By force an upload that may have become a meeting, or cannot become one, is another one.
  const unfinished = force && state.unfinished?.final !== 'unsent' ? undefined : state.unfinished;
  if (unfinished !== undefined && unfinished.accepted.size > 0) return resume(job, unfinished, undefined);
  let sha256: string | undefined;
  if (!force && file.rereadable && (await state.findFinished(file.size)).size > 0) {
    sha256 = await hashFile(job);
    const meeting = await findUploaded(job, sha256);
    if (meeting !== undefined) {
      return { meeting, duplicate: true, sha256, sent: 0, skipped: 0, raw: undefined };
    }
  }
  return unfinished === undefined ? begin(job, makeAttempt(), sha256) : resume(job, unfinished, sha256);
}

async function resume(
  job: UploadJob,
  unfinished: Attempt,
  sha256: string | undefined,
): Promise<UploadOutcome> {
  try {
    return await begin(job, unfinished, sha256);
  } catch (error) {
    if (error instanceof StaleState) return begin(job, makeAttempt(), undefined);
    if (!isForgotten(error)) throw error;
    return begin(job, makeAttempt(unfinished.id), sha256);
  }
}

/** Not if the service may have made the meeting, nor if it refuses to complete chunks that it has all received. */
function isForgotten(error: unknown): boolean {
  return (
    mayMeanUnknownSession(error) && !(error instanceof AmbiguousWriteError) && !error.resumesAtCompletion
  );
}

/** One recording keeps its id, and every full attempt has a session of its own (observed). */
function makeAttempt(id: string = randomUUID()): Attempt {
  return { id, sessionId: randomUUID(), accepted: new Map(), final: 'unsent' };
}

async function begin(job: UploadJob, attempt: Attempt, sha256: string | undefined): Promise<UploadOutcome> {
  await job.state.begin(attempt);
  return runAttempt(job, attempt, sha256);
}
