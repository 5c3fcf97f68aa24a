import { operations } from '@aftermeet/contract';

import { ServiceError } from '../errors.ts';
import { isPathCode, readSystemFault } from '../system-fault.ts';

/** What every error of an upload names. */
export const uploading = operations.uploads.chunk;

/** A call that breaks a rule, or a source that cannot be read. */
export function refuseUpload(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', operation: uploading, detail });
}

/** What the system refused: `bad_request` for a path that was chosen wrong, else `file_system`. */
export function toFileError(what: string, error: unknown): ServiceError {
  const { systemCode } = readSystemFault(error);
  const code = isPathCode(systemCode) ? 'bad_request' : 'file_system';
  // The code and nothing else: the system's messages repeat the path, and a path may be a title.
  return new ServiceError({ code, operation: uploading, detail: `${what}: ${systemCode}`, systemCode });
}

/** The source is not what it was at the start: what was sent so far must not become a meeting. */
export function sourceChanged(detail: string): ServiceError {
  return new ServiceError({ code: 'conflict', operation: uploading, detail });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', operation: uploading });
}
