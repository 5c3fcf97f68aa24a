import type { OperationId, operations } from '@aftermeet/contract';

import {
  AmbiguousWriteError,
  type OperationName,
  ServiceError,
  type ServiceErrorCode,
  type VerifyCall,
} from './errors.ts';
import { asFields, firstText } from './loose.ts';

type Table = typeof operations;

/** The ids of the operations that may not be repeated. */
type WriteId = {
  [Resource in keyof Table]: {
    [Verb in keyof Table[Resource]]: Table[Resource][Verb] extends {
      readonly id: infer Id extends string;
      readonly repeatable: false;
    }
      ? Id
      : never;
  }[keyof Table[Resource]];
}[keyof Table];

type FindVerifyCall = (input: unknown, nowMs: number) => VerifyCall;

const verifiers: Readonly<Record<WriteId, FindVerifyCall>> = {
  'recordings.start': findStarted,
  'reports.generate': (input) => ({
    operation: 'reports.get',
    input: { meetingId: firstText(asFields(input) ?? {}, 'meetingId') ?? '' },
  }),
  'tags.create': () => ({ operation: 'tags.list', input: {} }),
};

const verifierById: ReadonlyMap<string, FindVerifyCall> = new Map(Object.entries(verifiers));

/** The call that shows whether the write with this input took effect. */
export function findVerifyCall(operationId: string, input: unknown, nowMs: number): VerifyCall {
  return (verifierById.get(operationId) ?? findStarted)(input, nowMs);
}

/** No time zone is further behind UTC. */
const WESTERNMOST_MS = 12 * 3_600_000;

/** By title and day; the day is early enough for any time zone that the service's days are in. */
function findStarted(input: unknown, nowMs: number): VerifyCall {
  const fields = asFields(input) ?? {};
  const title = firstText(fields, 'title');
  const plannedMs = Date.parse(firstText(fields, 'localDateTime', 'localTime') ?? '');
  const earliestMs = Math.min(nowMs, Number.isNaN(plannedMs) ? nowMs : plannedMs) - WESTERNMOST_MS;
  const dateFrom = new Date(earliestMs).toISOString().slice(0, 10);
  return { operation: 'meetings.search', input: { ...(title === undefined ? {} : { q: title }), dateFrom } };
}

const ambiguousCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'connection',
  'timeout',
  'unreadable',
  'server',
]);

/** The usual answer to a form: done, and the outcome is at another address. */
const SEE_OTHER_STATUS = 303;

/** Whether the service may have done what it was asked to. */
export function isOutcomeUnknown({ code, status, unsent }: ServiceError): boolean {
  if (unsent) return false;
  return ambiguousCodes.has(code) || status === 408 || status === SEE_OTHER_STATUS;
}

export interface WriteFacts {
  readonly operation: OperationName;
  readonly input: unknown;
  readonly nowMs: number;
  readonly resumesAtCompletion?: boolean;
}

/**
 * What the fault of a write that may not be repeated means. After a refusal (429 and 425 among them) or a fault before
 * anything was sent the service did nothing: the error stays as it is. After a timeout, a broken connection, an answer
 * that cannot be read, 303, 408 and every 5xx the outcome is unknown. 503 is no exception: a gateway also answers it
 * when the service behind it stops in the middle of a request.
 */
export function toAmbiguousWriteError(
  error: unknown,
  { operation, input, nowMs, resumesAtCompletion }: WriteFacts,
): unknown {
  if (!(error instanceof ServiceError) || error.unsent) return error;
  const { code, status, detail } = error;
  if (code === 'aborted') return error.with({ mayHaveTakenEffect: true, resumesAtCompletion });
  if (!isOutcomeUnknown(error)) return error;
  return new AmbiguousWriteError({
    operation,
    reason: status === SEE_OTHER_STATUS ? 'the answer points to another address' : (detail ?? code),
    verifyWith: findVerifyCall(operation.id, input, nowMs),
    status,
    resumesAtCompletion,
    cause: error,
  });
}

/** Writes that a second attempt may find done already, and the operation that shows it. */
const verifyAttempts: Readonly<Partial<Record<OperationId, OperationId>>> = {
  'recordings.stop': 'recordings.status',
  'recordings.cancel': 'recordings.status',
  'tags.attach': 'meetings.search',
  'tags.detach': 'meetings.search',
};

const verifyAttemptById: ReadonlyMap<string, OperationId> = new Map(Object.entries(verifyAttempts));

/**
 * Takes every fault of one call in turn and returns what to throw. A 404 or 409 after an attempt whose outcome is
 * unknown may be the success of that attempt: the error then names the operation that shows it.
 */
export function createAttemptMemory(operationId: string): (error: unknown) => unknown {
  const checkWith = verifyAttemptById.get(operationId);
  let isOutcomeOpen = false;
  return (error) => {
    if (checkWith === undefined || !(error instanceof ServiceError)) return error;
    if (isOutcomeOpen && (error.code === 'not_found' || error.code === 'conflict')) {
      return error.with({ checkWith });
    }
    isOutcomeOpen ||= isOutcomeUnknown(error);
    return error;
  };
}
