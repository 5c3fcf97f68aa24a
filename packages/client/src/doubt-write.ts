import type { operations } from '@aftermeet/contract';

import { AmbiguousWriteError, type SettlingCall } from './ambiguous-write-error.ts';
import { asFields, firstText } from './report/loose.ts';
import { ServiceError, type ServiceErrorCode } from './service-error.ts';

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

type FindSettlingCall = (input: unknown, nowMs: number) => SettlingCall;

const settlers: Readonly<Record<WriteId, FindSettlingCall>> = {
  'recordings.start': findStarted,
  'reports.generate': (input) => ({
    operation: 'reports.get',
    input: { meeting_id: firstText(asFields(input) ?? {}, 'meeting_id') ?? '' },
  }),
  'tags.create': () => ({ operation: 'tags.list', input: {} }),
};

const settlerById: ReadonlyMap<string, FindSettlingCall> = new Map(Object.entries(settlers));

/** The operation that shows whether the write with this input took effect. */
export function findSettlingCall(operationId: string, input: unknown, nowMs: number): SettlingCall {
  return (settlerById.get(operationId) ?? findStarted)(input, nowMs);
}

/** No zone of the world is further behind UTC. */
const WESTERNMOST_MS = 12 * 3_600_000;

/** By title and day; the day is early enough whatever zone the service's days are in. */
function findStarted(input: unknown, nowMs: number): SettlingCall {
  const fields = asFields(input) ?? {};
  const title = firstText(fields, 'title');
  const plannedMs = Date.parse(firstText(fields, 'local_date_time', 'localTime') ?? '');
  const earliestMs = Math.min(nowMs, Number.isNaN(plannedMs) ? nowMs : plannedMs) - WESTERNMOST_MS;
  const dateFrom = new Date(earliestMs).toISOString().slice(0, 10);
  return { operation: 'meetings.search', input: { ...(title === undefined ? {} : { q: title }), dateFrom } };
}

const doubtfulCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'connection',
  'timeout',
  'unreadable',
  'server',
]);

/** The usual answer to a form: done, and the outcome stands elsewhere. */
const SEE_OTHER_STATUS = 303;

/** Whether the service may have done what it was asked to, for all that is known. */
export function isFateUnknown({ code, status, unsent }: ServiceError): boolean {
  if (unsent) return false;
  return doubtfulCodes.has(code) || status === 408 || status === SEE_OTHER_STATUS;
}

/**
 * What the fault of a write that may not be repeated means. After a refusal (429 and 425 among them) or a fault
 * before anything was sent the service surely did nothing: the error stays as it is. Of a timeout, a connection
 * that broke, an answer that cannot be read, 303, 408 and every 5xx nobody can tell. 503 is no exception: a
 * gateway also says it when the service behind it fell silent in the middle of a request.
 */
export function doubtWrite(
  error: unknown,
  { operationId, input, nowMs }: { operationId: string; input: unknown; nowMs: number },
): unknown {
  if (!(error instanceof ServiceError) || error.unsent) return error;
  const { doing, code, status, detail } = error;
  if (code === 'aborted') {
    return new ServiceError({ code, doing, detail: 'it may have taken effect', cause: error.cause });
  }
  if (!isFateUnknown(error)) return error;
  return new AmbiguousWriteError({
    doing,
    reason: status === SEE_OTHER_STATUS ? 'the answer points elsewhere' : (detail ?? code),
    settleWith: findSettlingCall(operationId, input, nowMs),
    ...(status === undefined ? {} : { status }),
    cause: error,
  });
}
