import { operations } from '@aftermeet/contract';

import { sendRequest } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';
import type { UploadedMeeting } from './read-upload-answer.ts';
import type { UploadJob } from './upload-job.ts';

const GONE_STATUS = 404;

/** The meeting that this content became before, by our notes. One that the service does not have any more is forgotten. */
export async function findUploaded(job: UploadJob, sha256: string): Promise<UploadedMeeting | undefined> {
  const { finished, file } = job;
  const meeting = await finished?.find(file.size, sha256);
  if (finished === undefined || meeting === undefined) return undefined;
  if (!(await isGone(job, meeting))) return meeting;
  await finished.forget(file.size, sha256).catch(() => {});
  return undefined;
}

/** Asked once. A service that does not tell is no reason to send everything again. */
async function isGone({ connection, signal }: UploadJob, { meetingId }: UploadedMeeting): Promise<boolean> {
  const once = { ...connection, retries: 0 };
  const input = { meeting_id: meetingId };
  try {
    await sendRequest(once, operations.recordings.status, input, signal === undefined ? {} : { signal });
    return false;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'aborted') throw error;
    return error.status === GONE_STATUS;
  }
}
