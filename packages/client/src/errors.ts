import type { OperationId, OperationInput, operations, Problem } from '@aftermeet/contract';
import { formatProblems } from '@aftermeet/contract';

/**
 * What went wrong with a request, by what the caller can do about it. `connection`, `timeout`, `aborted` and
 * `file_system` never have a status; the others carry the status of the answer, if there was one.
 */
export type ServiceErrorCode =
  /** Refused, reset, or broken off within the answer. */
  | 'connection'
  /** No connection (`unsent`), no answer, or no further part of it, in time; of a wait: nothing final by the deadline. */
  | 'timeout'
  /** By the caller's signal. */
  | 'aborted'
  /** A write that must not happen twice may have taken effect: `AmbiguousWriteError`. */
  | 'ambiguous'
  /** Redirects are not followed, because they would carry the key to another address. */
  | 'redirected'
  /** 400; without a status nothing was sent: a rule was broken (`problems`), or a file path cannot be used. */
  | 'bad_request'
  | 'unauthorized'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  /** 409; without a status, a file already exists, or changed while it was sent. */
  | 'conflict'
  /** 202 in place of a file: the meeting still goes on, or its report is being made. */
  | 'not_ready'
  /** 429. */
  | 'rate_limited'
  /** 5xx. */
  | 'server'
  /** Any other status below 500 that is no success, or a success that holds an error. */
  | 'unexpected_status'
  /** A success without the one thing that was asked for, a web page, half of a JSON text, or an answer that is too large. */
  | 'unreadable'
  /** This machine: a full disk, a folder or file that may not be written or read. */
  | 'file_system';

/** What an error names; an operation of the contract is one. */
export interface OperationName {
  /** Such as `reports.get`. */
  readonly id: string;
  readonly method?: string;
  /** Without values and query: `/api/video/report`. */
  readonly path?: string;
}

export interface ServiceErrorFacts {
  readonly code: ServiceErrorCode;
  readonly operation: OperationName | string;
  readonly status?: number | undefined;
  /** The service's own words, shortened and without secrets, or what the client found wrong. For people only. */
  readonly detail?: string | undefined;
  /** The rules that an input breaks; then nothing was sent. */
  readonly problems?: readonly Problem[] | undefined;
  /** The system's word for a fault of the network or the file system: `ECONNREFUSED`. */
  readonly systemCode?: string | undefined;
  /** The service's word for the state of a meeting that is not ready. */
  readonly serviceStatus?: string | undefined;
  /** How long the service asks not to be called. */
  readonly retryAfterMs?: number | undefined;
  /** Default: by code and status. */
  readonly retryable?: boolean | undefined;
  /** Default false. */
  readonly unsent?: boolean | undefined;
  /** Default false. */
  readonly mayHaveTakenEffect?: boolean | undefined;
  readonly checkWith?: OperationId | undefined;
  /** Default false. */
  readonly resumesAtCompletion?: boolean | undefined;
  /** Never the error of a library: those carry requests with their headers. */
  readonly cause?: unknown;
}

const retryableCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'connection',
  'timeout',
  'rate_limited',
  'server',
]);

const retryableStatuses: ReadonlySet<number> = new Set([408, 425]);

/**
 * The one error of the client. Its members say what went wrong; its message puts the same into words for a log, and
 * holds no secrets.
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** The id of the operation: `reports.get`. */
  readonly operation: string;
  /** Its method and path: `GET /api/video/report`. */
  readonly request: string | undefined;
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly problems: readonly Problem[];
  readonly systemCode: string | undefined;
  readonly serviceStatus: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** True when the same request may succeed later. */
  readonly retryable: boolean;
  /** True when nothing of the request reached the service. */
  readonly unsent: boolean;
  /** True when the service may have done what it was asked to. */
  readonly mayHaveTakenEffect: boolean;
  /** An attempt of this call may have succeeded; this operation shows whether one did. */
  readonly checkWith: OperationId | undefined;
  /** Of an upload: every chunk was sent. The next run sends only the completing request; `force` sends everything again. */
  readonly resumesAtCompletion: boolean;
  readonly #facts: ServiceErrorFacts;

  constructor(facts: ServiceErrorFacts) {
    super(describeFacts(facts), facts.cause === undefined ? {} : { cause: facts.cause });
    const { code, operation, status, problems = [] } = facts;
    this.code = code;
    this.operation = typeof operation === 'string' ? operation : operation.id;
    this.request = describeRequest(operation);
    this.status = status;
    this.detail = facts.detail ?? (problems.length > 0 ? formatProblems(problems) : undefined);
    this.problems = problems;
    this.systemCode = facts.systemCode;
    this.serviceStatus = facts.serviceStatus;
    this.retryAfterMs = facts.retryAfterMs;
    this.retryable = facts.retryable ?? (retryableCodes.has(code) || retryableStatuses.has(status ?? 0));
    this.unsent = facts.unsent ?? false;
    this.mayHaveTakenEffect = facts.mayHaveTakenEffect ?? false;
    this.checkWith = facts.checkWith;
    this.resumesAtCompletion = facts.resumesAtCompletion ?? false;
    this.#facts = facts;
  }

  /** The operation as it was given, for another error of the same call. */
  get operationName(): OperationName | string {
    return this.#facts.operation;
  }

  /** The same error with other facts. */
  with(changes: Partial<ServiceErrorFacts>): ServiceError {
    return new ServiceError({ ...this.#facts, ...changes });
  }
}

function describeRequest(operation: OperationName | string): string | undefined {
  if (typeof operation === 'string' || operation.method === undefined) return undefined;
  return `${operation.method} ${operation.path ?? ''}`.trim();
}

function describeFacts(facts: ServiceErrorFacts): string {
  const { code, operation, status, problems = [], detail } = facts;
  const name = typeof operation === 'string' ? operation : operation.id;
  const request = describeRequest(operation);
  const clauses = [
    detail ?? (problems.length > 0 ? formatProblems(problems) : undefined),
    describeDoubt(facts),
    facts.resumesAtCompletion === true
      ? 'the next run only asks for the completion, force sends everything again'
      : undefined,
  ].filter((clause) => clause !== undefined);
  const start = `${name}${request === undefined ? '' : `: ${request}`} ${status === undefined ? code : `answered ${status}`}`;
  return clauses.length === 0 ? start : `${start}: ${clauses.join('; ')}`;
}

function describeDoubt({ mayHaveTakenEffect, checkWith }: ServiceErrorFacts): string | undefined {
  if (mayHaveTakenEffect !== true) {
    return checkWith && `an earlier attempt may have succeeded: check with ${checkWith}`;
  }
  const advice = checkWith === undefined ? '' : `: check with ${checkWith} before you send it again`;
  return `it may have taken effect${advice}`;
}

/** The call whose answer shows whether a write took effect. */
export type VerifyCall =
  | {
      readonly operation: 'meetings.search';
      readonly input: OperationInput<typeof operations.meetings.search>;
    }
  | { readonly operation: 'reports.get'; readonly input: { readonly meetingId: string } }
  | { readonly operation: 'tags.list'; readonly input: Readonly<Record<string, never>> };

export interface AmbiguousWriteFacts extends Pick<
  ServiceErrorFacts,
  'operation' | 'status' | 'resumesAtCompletion'
> {
  /** Why the outcome is unknown, such as `no answer in 30000 ms`. */
  readonly reason: string;
  readonly verifyWith: VerifyCall;
  readonly cause?: ServiceError | undefined;
}

/** A write that must not happen twice may have taken effect. It was not repeated; `verifyWith` shows whether it did. */
export class AmbiguousWriteError extends ServiceError {
  override readonly name = 'AmbiguousWriteError';
  // Private, behind a getter: the input holds a title, and errors are printed into logs whole.
  readonly #verifyWith: VerifyCall;

  constructor({ reason, verifyWith, ...facts }: AmbiguousWriteFacts) {
    super({
      ...facts,
      code: 'ambiguous',
      detail: reason,
      mayHaveTakenEffect: true,
      checkWith: verifyWith.operation,
      retryable: false,
    });
    this.#verifyWith = verifyWith;
  }

  get verifyWith(): VerifyCall {
    return this.#verifyWith;
  }
}

/** As `instanceof ServiceError`, also where a program holds two copies of this package. */
export function isServiceError(error: unknown): error is ServiceError {
  return (
    error instanceof Error &&
    (error.name === 'ServiceError' || error.name === 'AmbiguousWriteError') &&
    'code' in error &&
    'operation' in error
  );
}

/** As `instanceof AmbiguousWriteError`, also where a program holds two copies of this package. */
export function isAmbiguousWrite(error: unknown): error is AmbiguousWriteError {
  return isServiceError(error) && error.name === 'AmbiguousWriteError';
}
