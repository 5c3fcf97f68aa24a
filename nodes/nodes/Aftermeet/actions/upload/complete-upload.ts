import {
  AmbiguousWriteError,
  doubtWrite,
  findDuplicate,
  findMeeting,
  findSettlingCall,
  mayBeForgotten,
  ServiceError,
} from '@aftermeet/client/pure';

import type { ChunkSender, UploadFields } from './chunk-sender.ts';
import { doingUpload } from './upload-fault.ts';

const operationId = 'uploads.chunk';

type UploadedMeeting = NonNullable<ReturnType<typeof findMeeting>>;

export interface Completion {
  readonly meeting: UploadedMeeting;
  readonly duplicate: boolean;
}

/**
 * Sends the final, empty request (specification, "File upload", rule 3), which is repeated like the others: with the same ids it
 * completes the same upload. A refusal after a try that got no answer may come from a service that has completed the upload and
 * forgotten it: that, and an answer that names no meeting, is an `AmbiguousWriteError`.
 */
export async function completeUpload(
  sender: ChunkSender,
  fields: UploadFields,
  sha256: string,
  sentMs: number,
): Promise<Completion> {
  const doubt = { fields, sentMs };
  let isInDoubt = false;
  try {
    const answer = await sender.finish(sha256, (error) => {
      isInDoubt ||= mayHaveWorked(error);
      return error;
    });
    const duplicate = findDuplicate(answer);
    const meeting = duplicate ?? findMeeting(answer.body);
    // After a lost answer the meeting that is there may be the one that this upload made.
    if (meeting !== undefined) return { meeting, duplicate: duplicate !== undefined && !isInDoubt };
    throw reportDoubt('the answer names no meeting', doubt, answer.status);
  } catch (error) {
    throw explainFailure(error, isInDoubt ? doubt : undefined);
  }
}

interface Doubt {
  readonly fields: UploadFields;
  /** When the first try went out. */
  readonly sentMs: number;
}

/** Whether a final request that failed like this may have made a meeting all the same. */
function mayHaveWorked(error: unknown): boolean {
  return doubtWrite(error, { operationId, input: {}, nowMs: 0 }) !== error;
}

function explainFailure(error: unknown, doubt: Doubt | undefined): unknown {
  if (doubt === undefined || error instanceof AmbiguousWriteError) return error;
  if (mayHaveWorked(error)) {
    return doubtWrite(error, { operationId, input: doubt.fields, nowMs: doubt.sentMs });
  }
  const status = error instanceof ServiceError ? error.status : undefined;
  const lost = 'an earlier final request got no answer';
  return reportDoubt(mayBeForgotten(error) ? `${lost}, and this one was refused` : lost, doubt, status);
}

function reportDoubt(reason: string, { fields, sentMs }: Doubt, status: number | undefined): ServiceError {
  return new AmbiguousWriteError({
    doing: doingUpload,
    reason,
    settleWith: findSettlingCall(operationId, fields, sentMs),
    ...(status === undefined ? {} : { status }),
  });
}
