import { refuseMinutes } from '../account/refuse-call.ts';
import { makeMeeting } from '../life/make-meeting.ts';
import { sandboxUser } from '../sandbox-user.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';
import type { ChunkInput, Upload, UploadResult } from './upload.ts';

const listedChunks = 20;

/** Answers the final request. One completion runs at a time, and one that succeeded is answered again as it was. */
export function completeUpload(
  world: SandboxWorld,
  upload: Upload,
  input: ChunkInput,
): Promise<ServiceAnswer> {
  upload.completion ??= checkAndComplete(world, upload, input).finally(() => {
    upload.completion = undefined;
  });
  return upload.completion;
}

async function checkAndComplete(
  world: SandboxWorld,
  upload: Upload,
  input: ChunkInput,
): Promise<ServiceAnswer> {
  if (upload.facts.result !== undefined) return describeResult(upload.facts.result);
  const missing = listMissing(upload);
  if (missing.length > 0) return refuseIncomplete(upload, missing);
  const { bytes } = upload;
  if (bytes !== input.expected_file_size) {
    const message = `The chunks hold ${String(bytes)} bytes, and expected_file_size is ${String(input.expected_file_size)}.`;
    return answerError(400, 'FILE_SIZE_MISMATCH', message, 'expected_file_size');
  }
  const sha256 = await upload.content.digest().catch((error: unknown) => {
    if (world.uploads.isCurrent(upload)) throw error;
    return undefined;
  });
  if (sha256 === undefined || !world.uploads.isCurrent(upload)) return answerReplacedSession();
  if (input.expected_sha256 !== undefined && input.expected_sha256 !== sha256) {
    const message = `The chunks have the SHA-256 ${sha256}, and expected_sha256 is another one: upload the file again.`;
    return answerError(400, 'FILE_HASH_MISMATCH', message, 'expected_sha256');
  }
  const known = findMeetingOf(world, sha256);
  const refusal = known === undefined ? refuseMinutes(world.account.plan()) : undefined;
  if (refusal !== undefined) return refusal;
  const isDuplicate = known !== undefined;
  const { result, removal } = world.together(() => {
    const made = { sha256, bytes, meetingId: known ?? makeUploadedMeeting(world, upload), isDuplicate };
    return { result: made, removal: world.uploads.complete(upload, made) };
  });
  await removal;
  return describeResult(result);
}

function describeResult({ meetingId, isDuplicate }: UploadResult): ServiceAnswer {
  const duplicate = isDuplicate ? { duplicate: true } : {};
  return answerJson(200, { meeting_id: meetingId, user_id: sandboxUser.id, ...duplicate });
}

/** For a chunk of an attempt that a newer one has replaced. */
export function answerReplacedSession(): ServiceAnswer {
  const message = 'A newer upload_session_id has replaced this one, or the sandbox was reset: begin anew.';
  return answerError(409, 'UPLOAD_SESSION_REPLACED', message, 'upload_session_id');
}

/** The numbers of the chunks that are missing, as many as a message can name. */
function listMissing(upload: Upload): readonly number[] {
  const missing: number[] = [];
  for (let number = 0; number < upload.facts.chunkTotal - 1 && missing.length < listedChunks; number += 1) {
    if (!upload.chunks.has(number)) missing.push(number);
  }
  return missing;
}

function refuseIncomplete(upload: Upload, missing: readonly number[]): ServiceAnswer {
  const more = upload.facts.chunkTotal - 1 - upload.chunks.size - missing.length;
  const rest = more > 0 ? ` and ${String(more)} more` : '';
  return {
    status: 409,
    json: {
      code: 'CHUNKS_MISSING',
      message: `Chunks are missing: ${missing.join(', ')}${rest}. Send them, and the final request again.`,
      field: 'chunk_number',
      missing_chunks: missing,
    },
  };
}

/** The meeting that the same content became before. That the service knows content again is in the specification; how it answers is assumed. */
function findMeetingOf(world: SandboxWorld, sha256: string): string | undefined {
  const meetingId = world.uploads.findContent(sha256);
  const meeting = meetingId === undefined ? undefined : world.meetings.find(meetingId);
  return meeting === undefined || meeting.status === 'failed' ? undefined : meetingId;
}

function makeUploadedMeeting(world: SandboxWorld, upload: Upload): string {
  const { details, filename } = upload.facts;
  const meeting = makeMeeting(world, {
    title: details.title ?? filename,
    link: undefined,
    source: 'upload',
    localDateTime: details.localTime ?? new Date(world.clock.now()).toISOString(),
    isScheduled: false,
    templateName: details.template_name,
    webhookUrl: details.webhook_url,
    webhookSecret: details.webhook_secret,
    status: 'processing',
  });
  return meeting.id;
}
