import { ServiceError } from '@aftermeet/client/pure';

import { describeOperation } from '../../transport/send-operation.ts';
import { wireOperations } from '../../wire/wire-operations.ts';

/** What every error of an upload says was being done. */
export const doingUpload = describeOperation(wireOperations['uploads.chunk']);

/** A parameter or a file that breaks a rule; nothing was sent. */
export function refuseUpload(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', doing: doingUpload, detail, unsent: true });
}

/** A stored file that cannot be read, or is not what n8n says: chunks may have been sent, and no meeting was made of them. */
export function reportStorage(detail: string): ServiceError {
  return new ServiceError({ code: 'file_system', doing: doingUpload, detail });
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', doing: doingUpload });
}
