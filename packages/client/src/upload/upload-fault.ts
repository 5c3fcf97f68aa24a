import { operations } from '@aftermeet/contract';

import { describeFault } from '../describe-fault.ts';
import { isPathFault } from '../path-fault.ts';
import { describeOperation } from '../prepare-call.ts';
import { ServiceError } from '../service-error.ts';

/** What every error of an upload says was being done. */
export const doingUpload = describeOperation(operations.uploads.chunk);

/** A call that breaks a rule, or a source that cannot be read. */
export function refuseUpload(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', doing: doingUpload, detail });
}

/** What the system refused: `bad_request` for a path that was chosen wrong, else `file_system`. */
export function reportSystemFault(what: string, error: unknown): ServiceError {
  const word = describeSystemFault(error);
  const code = isPathFault(word) ? 'bad_request' : 'file_system';
  return new ServiceError({ code, doing: doingUpload, detail: `${what}: ${word}` });
}

/** The source is not what it was at the start: what was sent so far must not become a meeting. */
export function reportChange(detail: string): ServiceError {
  return new ServiceError({ code: 'conflict', doing: doingUpload, detail });
}

export function reportAbort(): ServiceError {
  return new ServiceError({ code: 'aborted', doing: doingUpload });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw reportAbort();
}

/** The system's code and nothing else: its messages repeat the path, and a path may be a title. */
export function describeSystemFault(error: unknown): string {
  return describeFault(error).word;
}
