import { classifyStatus, readRetryAfter } from './classify-answer.ts';
import { describeFault } from './describe-fault.ts';
import { describeAnswer } from './read-answer.ts';
import { ServiceError } from './service-error.ts';

export interface FaultFacts {
  readonly doing: string;
  /** The caller's. */
  readonly signal?: AbortSignal | undefined;
  /** Ours; aborted when the time of the attempt was up. */
  readonly timeout?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

const timeoutWords: ReadonlySet<string> = new Set([
  'TimeoutError',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const abortWords: ReadonlySet<string> = new Set(['AbortError', 'ABORT_ERR', 'UND_ERR_ABORTED']);

/**
 * What `fetch` or undici threw, as a `ServiceError`: `aborted` by the caller, `timeout`, `unreadable` for an
 * answer over the cap, else `connection`. The error itself is not kept as the cause, only its name and code:
 * it may hold the request with its headers, or an address with a password.
 */
export function explainFault(error: unknown, facts: FaultFacts): ServiceError {
  if (error instanceof ServiceError) return error;
  const { doing, signal, timeout, timeoutMs } = facts;
  const { word, unsent } = describeFault(error);
  const cause = nameCause(word);
  if (signal?.aborted === true) return new ServiceError({ code: 'aborted', doing, cause });
  if (timeout?.aborted === true || timeoutWords.has(word)) {
    const detail = timeoutMs === undefined ? word : `no answer in ${timeoutMs} ms`;
    return new ServiceError({ code: 'timeout', doing, detail, cause });
  }
  if (abortWords.has(word)) return new ServiceError({ code: 'aborted', doing, cause });
  if (error instanceof RangeError) {
    return new ServiceError({ code: 'unreadable', doing, detail: 'the answer is too large', cause });
  }
  return new ServiceError({ code: 'connection', doing, detail: word, unsent, cause });
}

/** An error that says nothing but the word: its stack would only show this file. */
function nameCause(word: string): Error {
  const cause = new Error(word);
  cause.stack = `Error: ${word}`;
  return cause;
}

export interface AnswerFacts {
  readonly doing: string;
  readonly status: number;
  /** Parsed JSON, text, or undefined. */
  readonly body: unknown;
  /** The header as it came. */
  readonly retryAfter: string | null;
  readonly nowMs: number;
  /** What must not be repeated should the service echo it, in any spelling: keys, secrets, addresses that are one. */
  readonly secrets?: readonly string[];
  /** What must not be repeated either: titles, names. */
  readonly texts?: readonly string[];
}

/** An answer that is no success, as a `ServiceError`. */
export function explainAnswer(facts: AnswerFacts): ServiceError {
  const { doing, status, body, retryAfter, nowMs, secrets, texts } = facts;
  const detail = describeAnswer(body, secrets, texts);
  const retryAfterMs = readRetryAfter(retryAfter, nowMs);
  return new ServiceError({
    code: classifyStatus(status),
    doing,
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
