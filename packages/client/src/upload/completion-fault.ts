import { operations } from '@aftermeet/contract';

import { AmbiguousWriteError } from '../ambiguous-write-error.ts';
import { amendError } from '../amend-error.ts';
import { doubtWrite, findSettlingCall } from '../doubt-write.ts';
import { ServiceError } from '../service-error.ts';
import { mayBeForgotten } from './forgotten-session.ts';
import { type Attempt, NO_JOURNAL } from './journal.ts';
import { RefusedCompletion } from './refused-completion.ts';
import { doingUpload } from './upload-fault.ts';
import type { UploadJob } from './upload-job.ts';

const { id: operationId } = operations.uploads.chunk;
const NO_ANSWER = 'an earlier final request got no answer';

/** Whether a final request that failed like this may have made a meeting all the same. */
export function mayHaveWorked(error: unknown): boolean {
  return doubtWrite(error, { operationId, input: {}, nowMs: 0 }) !== error;
}

/**
 * What the failure of the final request means. `doubtedSinceMs`: when the first one was sent that may have taken
 * effect, in this run or an earlier one.
 *
 * A service that has completed an upload may answer the same request later as if it had never heard of the session:
 * that is an `AmbiguousWriteError`, and so is every doubt where no journal holds the ids with which it can be asked
 * again. Without a doubt, a refusal of chunks that this run has all sent is a `RefusedCompletion`.
 */
export async function explainFailure(
  job: UploadJob,
  attempt: Attempt,
  error: unknown,
  doubtedSinceMs: number | undefined,
): Promise<unknown> {
  if (doubtedSinceMs === undefined) return explainRefusal(job, attempt, error);
  if (mayBeForgotten(error)) {
    const reason = `${NO_ANSWER}, and this one was refused`;
    return doubtCompletion(job, { reason, sentMs: doubtedSinceMs, status: error.status, cause: error });
  }
  if (job.journal !== NO_JOURNAL) return tellHowToGoOn(error);
  if (mayHaveWorked(error)) {
    return doubtWrite(error, { operationId, input: job.details, nowMs: doubtedSinceMs });
  }
  const facts = error instanceof ServiceError ? { status: error.status, cause: error } : {};
  return doubtCompletion(job, { reason: NO_ANSWER, sentMs: doubtedSinceMs, ...facts });
}

function tellHowToGoOn(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const said = error.detail === undefined ? '' : `${error.detail}: `;
  return amendError(error, {
    detail: `${said}everything was sent, the next run only asks for the completion`,
  });
}

async function explainRefusal({ journal }: UploadJob, attempt: Attempt, error: unknown): Promise<unknown> {
  const { accepted, final } = attempt;
  // A session of an earlier run may have been forgotten since: then the chunks are sent again, once.
  const isFinal = mayBeForgotten(error) && (accepted.size === 0 || final === 'refused');
  // Where it can't be noted, the next run is in doubt and sends nothing again.
  await journal.noteFinal(isFinal ? 'refused' : final).catch(() => {});
  return isFinal && journal !== NO_JOURNAL ? new RefusedCompletion(error) : error;
}

interface Doubt {
  readonly reason: string;
  readonly sentMs: number;
  readonly status?: number | undefined;
  readonly cause?: ServiceError;
}

/** The meeting may be there or not; the search that tells begins with the day on which it was asked for. */
export function doubtCompletion(
  { details, journal }: UploadJob,
  { reason, sentMs, status, cause }: Doubt,
): AmbiguousWriteError {
  return new AmbiguousWriteError({
    doing: doingUpload,
    reason: journal === NO_JOURNAL ? reason : `${reason} (force sends everything anew)`,
    settleWith: findSettlingCall(operationId, details, sentMs),
    ...(status === undefined ? {} : { status }),
    ...(cause === undefined ? {} : { cause }),
  });
}
