import type { Problem } from '@aftermeet/contract';

import { type OperationName, ServiceError, type ServiceErrorCode, type ServiceErrorFacts } from './errors.ts';
import { asFields, firstText } from './loose.ts';
import { redact } from './redact.ts';
import { readRetryAfter } from './retry-after.ts';
import { readSystemFault } from './system-fault.ts';

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
const abortCodes: ReadonlySet<string> = new Set(['AbortError', 'ABORT_ERR', 'UND_ERR_ABORTED']);

/**
 * What `fetch` or Node's HTTP client threw, as a `ServiceError`: `aborted` by the caller, `timeout`, `unreadable` for
 * an answer over the cap, else `connection`. The error itself is not kept as the cause, only its code: it may hold the
 * request with its headers, or an address with a password.
 */
export function toServiceError(error: unknown, facts: FaultFacts): ServiceError {
  if (error instanceof ServiceError) return error;
  const { operation, signal, timeout, timeoutMs } = facts;
  const { systemCode, unsent } = readSystemFault(error);
  const cause = nameCause(systemCode);
  if (signal?.aborted === true) return new ServiceError({ code: 'aborted', operation, cause });
  if (timeout?.aborted === true || timeoutCodes.has(systemCode)) {
    const detail = timeoutMs === undefined ? systemCode : `no answer in ${timeoutMs} ms`;
    return new ServiceError({ code: 'timeout', operation, detail, systemCode, cause });
  }
  if (abortCodes.has(systemCode)) return new ServiceError({ code: 'aborted', operation, cause });
  if (error instanceof RangeError) {
    return new ServiceError({ code: 'unreadable', operation, detail: 'the answer is too large', cause });
  }
  return new ServiceError({ code: 'connection', operation, detail: systemCode, systemCode, unsent, cause });
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
  if (status >= 300 && status < 400) return 'redirected';
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

/** An answer that is no success, as a `ServiceError`. */
export function refusalToError(facts: RefusalFacts): ServiceError {
  const { operation, status, body, retryAfter, nowMs, redactions } = facts;
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
    (inner === undefined ? undefined : firstText(inner, 'message', 'detail', 'code')) ??
    firstText(fields, 'code')
  );
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
