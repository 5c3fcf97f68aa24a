import type { OperationId, operations, Problem } from '@aftermeet/contract';

import {
  AmbiguousWriteError,
  type OperationName,
  ServiceError,
  type ServiceErrorCode,
  type ServiceErrorFacts,
  type VerifyCall,
} from './errors.ts';
import { asFields, asList, firstText } from './loose.ts';

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

/** What may be said of an error that a library threw: codes and names, which hold no secrets and no addresses. */
export interface SystemFault {
  /** Such as `ECONNREFUSED`, `UND_ERR_SOCKET` or, without a code, the error's name. */
  readonly systemCode: string;
  /** True when it happened before a byte of the request could leave. */
  readonly unsent: boolean;
}

const codePattern = /^[A-Z][A-Z0-9_]{1,63}$/;
const namePattern = /^[A-Za-z]{1,64}$/;
/** `fetch failed`, its cause, and the reasons for each address are three levels. */
const MAX_CAUSES = 4;

const unsentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The innermost cause with a code counts: `fetch failed` says nothing. */
export function readSystemFault(error: unknown): SystemFault {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < MAX_CAUSES; at = at.cause) chain.push(at);
  const code = chain.map(readCode).findLast((found) => found !== undefined);
  const name = chain
    .map((cause) => cause.name)
    .findLast((found) => namePattern.test(found) && found !== 'Error');
  return { systemCode: code ?? name ?? 'failed', unsent: chain.some(isUnsent) };
}

function isUnsent(error: Error): boolean {
  if (unsentCodes.has(readCode(error) ?? '')) return true;
  // All addresses of a name were tried and none took the connection.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(failedToConnect);
  return failedToConnect(error);
}

function failedToConnect(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

function readCode(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && codePattern.test(code) ? code : undefined;
}

/** Codes of a path that was chosen wrong; every other fault of the file system is one of the machine. */
const pathCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'EINVAL',
]);

export function isPathCode(systemCode: string): boolean {
  return pathCodes.has(systemCode);
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

const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/** An HTTP date begins with the day of the week; `Date.parse` alone also takes `-5` for one. */
const datePattern = /^[A-Z][a-z]{2,8},? .*\d$|^[A-Z][a-z]{2,8}, .* GMT$/;

/** `Retry-After` in milliseconds, from seconds or an HTTP date (RFC 9110, 10.2.3); anything else is undefined. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS) : undefined;
}

function parseHttpDate(text: string): number {
  if (!datePattern.test(text)) return Number.NaN;
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
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

const HIDDEN = '[hidden]';
/** Hiding every `a` of a message because a title is `a` would hide the message. */
const MIN_REDACTION_LENGTH = 4;

/** Fields of inputs that stay out of errors: secrets, addresses that work as one, and names of people and things. */
const privateFields = [
  'webhook_secret',
  'webhook_url',
  'link',
  'title',
  'q',
  'newSummaryText',
  'participants',
  'authors',
  'filename',
];

/** What no error may repeat: the key, and the private fields of an input. */
export function listRedactions(apiKey: string, input: unknown): readonly string[] {
  const fields = asFields(input) ?? {};
  const texts = privateFields
    .flatMap((name) => [fields[name], ...asList(fields[name])])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String);
  return [apiKey, ...texts].filter((text) => text.length >= MIN_REDACTION_LENGTH);
}

/** The text without the given texts. */
export function redact(text: string, redactions: readonly string[]): string {
  // The longest first: a shorter one may be a part of it.
  const longestFirst = redactions.filter((part) => part !== '').toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((clean, part) => clean.replaceAll(part, HIDDEN), text);
}

/** Problems repeat names that an input has too many, and numbers. */
export function redactProblems(
  problems: readonly Problem[],
  redactions: readonly string[],
): readonly Problem[] {
  const hide = (text: string): string => redact(text, redactions);
  return problems.map((problem) => ({
    ...problem,
    ...(problem.code === 'unknown' ? { path: problem.path.map((part) => hide(String(part))) } : {}),
    ...(problem.received === undefined ? {} : { received: hide(problem.received) }),
  }));
}

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
    input: { meeting_id: firstText(asFields(input) ?? {}, 'meeting_id') ?? '' },
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
  const plannedMs = Date.parse(firstText(fields, 'local_date_time', 'localTime') ?? '');
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
  if (code === 'aborted') return error.with({ mayHaveTakenEffect: true });
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
