/**
 * What went wrong with a request, by what the caller can do about it. `connection`, `timeout`, `aborted` and
 * `file_system` never have a status; the others carry that of the answer, where there was one.
 */
export type ServiceErrorCode =
  /** Refused, reset, or broken off within the answer. */
  | 'connection'
  /** No answer, or no further piece of it, in time; of a wait: nothing final by the deadline. */
  | 'timeout'
  /** By the caller's signal. */
  | 'aborted'
  /** A write that must not happen twice may have taken effect: `AmbiguousWriteError`. */
  | 'ambiguous'
  /** Redirects are not followed: the key would go along. */
  | 'redirected'
  /** 400; without a status, a rule was broken and nothing was sent, or the path of a file can't be used. */
  | 'bad_request'
  | 'unauthorized'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  /** 409; without a status, a file is in the way, or changed while it was sent. */
  | 'conflict'
  /** 202 in place of a file: the meeting is still going on, or its report is being made. */
  | 'not_ready'
  /** 429. */
  | 'rate_limited'
  /** 5xx. */
  | 'server'
  /** Any other status below 500 that is no success. */
  | 'unexpected_status'
  /** A success without the one thing that was asked for, a web page, or an answer that is too large. */
  | 'unreadable'
  /** The machine here: a disk that is full, a folder or file that may not be written or read. */
  | 'file_system';

export interface ServiceErrorFacts {
  readonly code: ServiceErrorCode;
  /** The operation's id, method and path without its query: `reports.get: GET /api/video/report`. */
  readonly doing: string;
  readonly status?: number;
  /** The service's own words, shortened and without secrets, or the rule that was broken. */
  readonly detail?: string;
  /** How long the service asks to be left alone. */
  readonly retryAfterMs?: number;
  /** Default: by code and status. */
  readonly retryable?: boolean;
  /** Default false. */
  readonly unsent?: boolean;
  /** Never the error of a library as it came: those carry requests with their headers. */
  readonly cause?: unknown;
}

const retryableCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'connection',
  'timeout',
  'rate_limited',
  'server',
]);

const retryableStatuses: ReadonlySet<number> = new Set([408, 425]);

/** The one error of the client. Its message says what was being done and never holds a secret. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly doing: string;
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** True when the same request may succeed later. */
  readonly retryable: boolean;
  /** True when it is sure that nothing of the request reached the service. */
  readonly unsent: boolean;

  constructor(facts: ServiceErrorFacts) {
    const answered = facts.status === undefined ? facts.code : `answered ${facts.status}`;
    const detail = facts.detail === undefined ? '' : `: ${facts.detail}`;
    super(`${facts.doing} ${answered}${detail}`, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = facts.code;
    this.doing = facts.doing;
    this.status = facts.status;
    this.detail = facts.detail;
    this.retryAfterMs = facts.retryAfterMs;
    this.retryable =
      facts.retryable ?? (retryableCodes.has(facts.code) || retryableStatuses.has(facts.status ?? 0));
    this.unsent = facts.unsent ?? false;
  }
}
