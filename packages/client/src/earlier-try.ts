import type { OperationId } from '@aftermeet/contract';

import { amendError } from './amend-error.ts';
import { isFateUnknown } from './doubt-write.ts';
import { ServiceError } from './service-error.ts';

/** Writes that a second try may find done already, and the operation that shows it. */
const lookWith: Readonly<Partial<Record<OperationId, OperationId>>> = {
  'recordings.stop': 'recordings.status',
  'recordings.cancel': 'recordings.status',
  'tags.attach': 'meetings.search',
  'tags.detach': 'meetings.search',
};

const lookById: ReadonlyMap<string, OperationId> = new Map(Object.entries(lookWith));

/**
 * Remembers that a try of unknown fate went before. To be told every fault of one call in turn, it returns what
 * to throw: a 404 or 409 after such a try may be its success, and then says so.
 */
export function createTryMemory(operationId: string): (error: unknown) => unknown {
  const look = lookById.get(operationId);
  let isDoubtful = false;
  return (error) => {
    if (look === undefined || !(error instanceof ServiceError)) return error;
    const { code, detail } = error;
    if (isDoubtful && (code === 'not_found' || code === 'conflict')) {
      const note = `an earlier try may have done it: look with ${look}`;
      return amendError(error, { detail: detail === undefined ? note : `${detail}; ${note}` });
    }
    isDoubtful ||= isFateUnknown(error);
    return error;
  };
}
