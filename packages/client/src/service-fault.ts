import type { Problem } from '@aftermeet/contract';

import { type OperationName, ServiceError, type ServiceErrorCode, type ServiceErrorFacts } from './errors.ts';
import { asFields, asFilled, asList, asText, firstText, readFirst } from './loose.ts';
import { redact } from './redact.ts';
import { readRetryAfter } from './retry-after.ts';
import { CONNECT_TIMEOUT_CODE, readSystemFault, unsentFault } from './system-fault.ts';

export interface FaultFacts {
  readonly operation: OperationName | string;
  /** The caller's. */
  readonly signal?: AbortSignal | undefined;
  /** Ours; aborted when the time of the attempt was up. */
  readonly timeout?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

const timeoutCodes: ReadonlySet<string> = new Set([
  'TimeoutError',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
/** Not `UND_ERR_ABORTED`, by which undici also means what a proxy refused. */
const abortCodes: ReadonlySet<string> = new Set(['AbortError', 'ABORT_ERR']);

/**
 * What `fetch` or Node's HTTP client threw, as a `ServiceError`: `aborted` by the caller, `timeout`, `unreadable` for
 * an answer over the cap, else `connection`. The error itself is not kept as the cause, only its code: it may hold the
 * request with its headers, or an address with a password.
 */
export function toServiceError(error: unknown, facts: FaultFacts): ServiceError {
  if (error instanceof ServiceError) return error;
  const { operation, signal, timeout, timeoutMs } = facts;
  const { systemCode, unsent, permanent } = readSystemFault(error);
  const shared = { operation, systemCode, unsent, cause: nameCause(systemCode) };
  if (signal?.aborted === true) return new ServiceError({ ...shared, code: 'aborted' });
  if (systemCode === CONNECT_TIMEOUT_CODE) {
    return new ServiceError({ ...shared, code: 'timeout', detail: 'no connection in time' });
  }
  if (timeout?.aborted === true || timeoutCodes.has(systemCode)) {
    const detail = timeoutMs === undefined ? systemCode : `no answer in ${timeoutMs} ms`;
    return new ServiceError({ ...shared, code: 'timeout', detail });
  }
  if (abortCodes.has(systemCode)) return new ServiceError({ ...shared, code: 'aborted' });
  if (error instanceof RangeError) {
    return new ServiceError({ ...shared, code: 'unreadable', detail: 'the answer is too large' });
  }
  const retryable = permanent ? false : undefined;
  return new ServiceError({ ...shared, code: 'connection', detail: describeCode(systemCode), retryable });
}

function describeCode(systemCode: string): string {
  const status = /^PROXY_(\d{3})$/.exec(systemCode)?.[1];
  return status === undefined ? systemCode : `the proxy answered ${status}`;
}

/** An error that says nothing but the code: its stack would only show this file. */
function nameCause(code: string): Error {
  const cause = new Error(code);
  cause.stack = `Error: ${code}`;
  return cause;
}

const codeByStatus: ReadonlyMap<number, ServiceErrorCode> = new Map([
  [400, 'bad_request'],
  [401, 'unauthorized'],
  [402, 'payment_required'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [429, 'rate_limited'],
]);

function classifyStatus(status: number): ServiceErrorCode {
  // A success that holds an error.
  if (status < 300) return 'unexpected_status';
  if (status < 400) return 'redirected';
  if (status >= 500) return 'server';
  return codeByStatus.get(status) ?? 'unexpected_status';
}

export interface RefusalFacts {
  readonly operation: OperationName | string;
  readonly status: number;
  /** Parsed JSON, text, or undefined. */
  readonly body: unknown;
  /** The header as it came. */
  readonly retryAfter: string | null;
  readonly nowMs: number;
  /** What must not be repeated if the service echoes it. */
  readonly redactions?: readonly string[];
}

/** What only a proxy answers, and then the request has not reached the service. */
const PROXY_LOGIN_STATUS = 407;

/** An answer that is no success, as a `ServiceError`. */
export function refusalToError(facts: RefusalFacts): ServiceError {
  const { operation, status, body, retryAfter, nowMs, redactions } = facts;
  if (status === PROXY_LOGIN_STATUS) return toServiceError(unsentFault(`PROXY_${status}`), { operation });
  return new ServiceError({
    code: classifyStatus(status),
    operation,
    status,
    detail: describeAnswer(body, redactions),
    retryAfterMs: readRetryAfter(retryAfter, nowMs),
  });
}

/** A longer text is a page, not a description. */
const MAX_DESCRIPTION_LENGTH = 64 * 1024;
const MAX_DETAIL_LENGTH = 200;

/** The service's own description of an error, short enough for a log line and without what is to be redacted. */
export function describeAnswer(answer: unknown, redactions: readonly string[] = []): string | undefined {
  const fields = asFields(answer);
  const text = fields === undefined ? answer : findMessage(fields);
  // The page of a proxy says nothing that the status does not.
  if (typeof text !== 'string' || text.length > MAX_DESCRIPTION_LENGTH || /^\s*</.test(text)) {
    return undefined;
  }
  // Redacted before it is cut: a cut through a secret would leave its beginning.
  const clean = redact(text, redactions)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return clean === '' ? undefined : Array.from(clean).slice(0, MAX_DETAIL_LENGTH).join('');
}

function findMessage(fields: Readonly<Record<string, unknown>>): string | undefined {
  const inner = asFields(fields['error']);
  return (
    firstText(fields, 'message', 'detail', 'error') ??
    readFirst(fields, ['detail', 'errors', 'error'], joinMessages) ??
    (inner === undefined ? undefined : firstText(inner, 'message', 'detail', 'code')) ??
    firstText(fields, 'code')
  );
}

/** The words of several errors: texts, or objects with the place of the fault (`loc`). */
function joinMessages(value: unknown): string | undefined {
  const messages = asList(value).flatMap((entry) => {
    if (typeof entry === 'string') return [entry];
    const fields = asFields(entry) ?? {};
    const message = firstText(fields, 'msg', 'message');
    if (message === undefined) return [];
    const place = asList(fields['loc']).flatMap((part) => asText(part) ?? []);
    return [place.length === 0 ? message : `${place.join('.')}: ${message}`];
  });
  return messages.length === 0 ? undefined : messages.join('; ');
}

/** Fields that an answer has which holds an error and nothing else. */
const errorFields: ReadonlySet<string> = new Set([
  'success',
  'ok',
  'error',
  'errors',
  'message',
  'detail',
  'code',
  'status',
  'statusCode',
  'status_code',
  'type',
  'title',
  'timestamp',
  'path',
  'instance',
  'request_id',
  'requestId',
  'trace_id',
  'traceId',
]);

/**
 * Whether the body of a success says that it is none: `{ success: false }`, or an `error`, `errors` or a list `detail`
 * and nothing beside it that was asked for.
 */
export function holdsError(body: unknown): boolean {
  const fields = asFields(body);
  if (fields === undefined) return false;
  if (fields['success'] === false) return true;
  const { error, errors, detail } = fields;
  const isNamed = asFilled(error) !== undefined || asList(errors).length > 0 || asList(detail).length > 0;
  return isNamed && error !== false && Object.keys(fields).every((name) => errorFields.has(name));
}

/** An input that was not sent because it breaks rules. */
export function refuseInput(operation: OperationName | string, problems: readonly Problem[]): ServiceError {
  return new ServiceError({ code: 'bad_request', operation, problems, unsent: true });
}

/** A success that cannot be used. */
export function unreadable(
  operation: ServiceErrorFacts['operation'],
  detail: string,
  status?: number,
): ServiceError {
  return new ServiceError({ code: 'unreadable', operation, detail, status });
}
