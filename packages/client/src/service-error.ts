/**
 * What went wrong with a request, by what the caller can do about it.
 * `connection`, `timeout` and `aborted` never reached an answer; the rest carry its status.
 */
export type ServiceErrorCode =
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'redirected'
  | 'bad_request'
  | 'unauthorized'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'server'
  | 'unexpected_status'
  | 'unreadable';

export interface ServiceErrorFacts {
  readonly code: ServiceErrorCode;
  /** The operation's id, method and path without its query: `reports.get: GET /api/video/report`. */
  readonly doing: string;
  readonly status?: number;
  /** The service's own words, shortened. */
  readonly detail?: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

const retryableCodes: ReadonlySet<ServiceErrorCode> = new Set([
  'connection',
  'timeout',
  'rate_limited',
  'server',
]);

/** The one error of the client. Its message says what was being done and never holds the key. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly doing: string;
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** True when the same request may succeed later. */
  readonly retryable: boolean;

  constructor(facts: ServiceErrorFacts) {
    const answered = facts.status === undefined ? facts.code : `answered ${facts.status}`;
    const detail = facts.detail === undefined ? '' : `: ${facts.detail}`;
    super(`${facts.doing} ${answered}${detail}`, { cause: facts.cause });
    this.code = facts.code;
    this.doing = facts.doing;
    this.status = facts.status;
    this.detail = facts.detail;
    this.retryAfterMs = facts.retryAfterMs;
    this.retryable = retryableCodes.has(facts.code) || facts.status === 408 || facts.status === 425;
  }
}
