import { limits } from '@aftermeet/contract';

import { refuseMinutes } from '../account.ts';
import type { AppState } from '../app-state.ts';
import { addMeeting } from '../meeting-changes.ts';
import { sandboxUser, UPLOAD_SOURCE } from '../meetings.ts';
import { acknowledge, answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';
import type { ReceivedFile } from '../uploads/receive-form.ts';
import { hashFile, type ChunkInput, type Upload, type UploadResult } from '../uploads/upload-store.ts';
import { refuseTemplate } from './templates.ts';

/**
 * Takes one chunk of a file: in any order, any number of times. The final request completes the upload. The answer to
 * the others is not shown in the specification; here it is the number of the chunk.
 */
export async function receiveChunk(
  app: AppState,
  input: ChunkInput,
  file: ReceivedFile,
): Promise<ServiceAnswer> {
  const { chunkNumber, chunkTotal } = input;
  // With the first chunk, not after the last one of a large file.
  const refusal = refuseTemplate(input.templateName);
  if (refusal !== undefined) return refusal;
  const upload = app.uploads.open(input);
  if (upload === undefined) return answerReplacedSession();
  const firstTotal = upload.facts.chunkTotal;
  if (firstTotal !== chunkTotal) {
    const message = `chunk_total must be the same in all chunks; the first one said ${String(firstTotal)}.`;
    return answerError(400, 'INVALID_REQUEST', message, 'chunk_total');
  }
  app.uploads.note(upload, input);
  if (chunkNumber === chunkTotal - 1) return completeUpload(app, upload, input);
  // A chunk that arrives while the final request is checked may be a missing one: it is stored even if that request is refused.
  while (upload.completion !== undefined) await upload.completion.catch(() => {});
  if (!app.uploads.isCurrent(upload)) return answerReplacedSession();
  // A complete upload has every chunk already.
  if (upload.facts.result === undefined) {
    const bytes = upload.bytes - (upload.chunks.get(chunkNumber)?.bytes ?? 0) + file.bytes;
    if (bytes > limits.uploadMaxBytes) return refuseSize(bytes);
    await app.uploads.keepChunk(upload, chunkNumber, file);
  }
  return acknowledge(app.options.get(), answerJson(200, { accepted: chunkNumber }));
}

/** The limit is in the specification, the answer is assumed. */
function refuseSize(bytes: number): ServiceAnswer {
  const message = `With this chunk the file has ${String(bytes)} bytes; at most ${String(limits.uploadMaxBytes)} (3 GB) are allowed.`;
  return answerError(413, 'FILE_TOO_LARGE', message, 'file');
}

/** One completion runs at a time. One that succeeded gets the same answer again. */
function completeUpload(app: AppState, upload: Upload, input: ChunkInput): Promise<ServiceAnswer> {
  upload.completion ??= checkAndComplete(app, upload, input).finally(() => {
    upload.completion = undefined;
  });
  return upload.completion;
}

async function checkAndComplete(app: AppState, upload: Upload, input: ChunkInput): Promise<ServiceAnswer> {
  if (upload.facts.result !== undefined) return answerResult(upload.facts.result);
  const missing = listMissing(upload);
  if (missing.length > 0) return refuseIncomplete(upload, missing);
  const { bytes } = upload;
  if (bytes !== input.expectedFileSize) {
    const message = `The chunks hold ${String(bytes)} bytes, and expected_file_size is ${String(input.expectedFileSize)}.`;
    return answerError(400, 'FILE_SIZE_MISMATCH', message, 'expected_file_size');
  }
  const sha256 = await hashFile(upload).catch((error: unknown) => {
    if (app.uploads.isCurrent(upload)) throw error;
    return undefined;
  });
  if (sha256 === undefined || !app.uploads.isCurrent(upload)) return answerReplacedSession();
  if (input.expectedSha256 !== undefined && input.expectedSha256 !== sha256) {
    const message = `The chunks have the SHA-256 ${sha256}, and expected_sha256 is another one: upload the file again.`;
    return answerError(400, 'FILE_HASH_MISMATCH', message, 'expected_sha256');
  }
  const known = findKnownMeeting(app, sha256);
  const refusal = known === undefined ? refuseMinutes(app.account.plan()) : undefined;
  if (refusal !== undefined) return refusal;
  const meetingId = known ?? addUploadedMeeting(app, upload);
  const result = { sha256, bytes, meetingId, isDuplicate: known !== undefined };
  app.uploads.complete(upload, result);
  return answerResult(result);
}

function answerResult({ meetingId, isDuplicate }: UploadResult): ServiceAnswer {
  const duplicate = isDuplicate ? { duplicate: true } : {};
  return answerJson(200, { meeting_id: meetingId, user_id: sandboxUser.id, ...duplicate });
}

/** For a chunk of an attempt that a newer one has replaced. */
function answerReplacedSession(): ServiceAnswer {
  const message = 'A newer upload_session_id has replaced this one, or the sandbox was reset: start over.';
  return answerError(409, 'UPLOAD_SESSION_REPLACED', message, 'upload_session_id');
}

const MAX_LISTED = 20;

/** The numbers of the missing chunks, as many as a message can name. */
function listMissing(upload: Upload): readonly number[] {
  const missing: number[] = [];
  for (let number = 0; number < upload.facts.chunkTotal - 1 && missing.length < MAX_LISTED; number += 1) {
    if (!upload.chunks.has(number)) missing.push(number);
  }
  return missing;
}

function refuseIncomplete(upload: Upload, missing: readonly number[]): ServiceAnswer {
  const more = upload.facts.chunkTotal - 1 - upload.chunks.size - missing.length;
  const rest = more > 0 ? ` and ${String(more)} more` : '';
  return answerJson(409, {
    code: 'CHUNKS_MISSING',
    message: `Chunks are missing: ${missing.join(', ')}${rest}. Send them, and the final request again.`,
    field: 'chunk_number',
    missing_chunks: missing,
  });
}

/** The meeting of the same content. The specification says that the service recognises content; its answer is assumed. */
function findKnownMeeting(app: AppState, sha256: string): string | undefined {
  const meetingId = app.uploads.findContent(sha256);
  const meeting = meetingId === undefined ? undefined : app.meetings.find(meetingId);
  return meeting === undefined || meeting.status === 'failed' ? undefined : meetingId;
}

function addUploadedMeeting(app: AppState, { facts: { details, filename } }: Upload): string {
  const meeting = addMeeting(app, {
    title: details.title ?? filename,
    link: undefined,
    source: UPLOAD_SOURCE,
    localDateTime: details.localTime ?? new Date(app.clock.now()).toISOString(),
    isScheduled: false,
    templateName: details.templateName,
    webhookUrl: details.webhookUrl,
    webhookSecret: details.webhookSecret,
    status: 'processing',
  });
  return meeting.id;
}
