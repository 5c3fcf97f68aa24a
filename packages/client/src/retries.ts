import { describeKind, type Problem } from '@aftermeet/contract';

import { ServiceError } from './errors.ts';
import { toServiceError } from './service-fault.ts';

/** Of one attempt, with its answer. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** How often what may be repeated is sent again, unless the caller says otherwise. */
export const DEFAULT_RETRIES = 4;

/** What repeating needs. */
export interface RetryOptions {
  /** How often a request that may be repeated is sent again. */
  readonly retries: number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Rejects when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called before each wait with what failed and how long the wait is. */
  readonly onRetry?: ((error: ServiceError, waitMs: number) => void) | undefined;
  /** Also after a connection that was not made in time: for work that has begun and would be lost. Default false. */
  readonly repeatsSlowConnects?: boolean;
  /** How long all attempts and the waits between them may take. Default: as long as they take. */
  readonly totalMs?: number | undefined;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** The first wait is at most this long, each later one at most twice the one before. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** A longer `Retry-After` is for the caller to decide: the error is thrown at once and carries it. */
const MAX_RETRY_AFTER_MS = 60_000;
/** An attempt that has less time than this is not made. */
const MIN_LEFT_MS = 1000;

/**
 * Makes the attempt, and again while it throws a `ServiceError` that is `retryable` and retries are left. Waits
 * between attempts grow exponentially with full jitter; a `Retry-After` up to a minute is obeyed, a longer one ends
 * the repeating. Aborting the signal ends a wait at once with `aborted`. Each attempt gets how long it may take, which is
 * `Infinity` without a `totalMs`; when there is no time for another, the fault of the last one is thrown.
 */
export async function withRetries<T>(
  { retries, random, wait, onRetry, repeatsSlowConnects = false, totalMs = Infinity, clock }: RetryOptions,
  attempt: (leftMs: number) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const deadlineMs = clock() + totalMs;
  for (let made = 0; ; made += 1) {
    try {
      return await attempt(deadlineMs - clock());
    } catch (error) {
      if (!(error instanceof ServiceError) || made >= retries) throw error;
      if (!isWorthRepeating(error, repeatsSlowConnects)) throw error;
      const { operationName: operation, retryAfterMs } = error;
      if ((retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) throw error;
      const waitMs = Math.round(pickWait(made, retryAfterMs, random));
      if (clock() + waitMs + MIN_LEFT_MS > deadlineMs) throw error;
      onRetry?.(error, waitMs);
      try {
        await wait(waitMs, signal);
        signal?.throwIfAborted();
      } catch (fault) {
        throw toServiceError(fault, { operation, signal });
      }
    }
  }
}

/**
 * Not a connection that was not made in time: it has cost long enough, and the system itself has tried several times. Nor
 * a success that cannot be used: it tells of a wrong address at once.
 */
function isWorthRepeating(
  { code, retryable, unsent, status }: ServiceError,
  repeatsSlowConnects: boolean,
): boolean {
  const isSlow = code === 'timeout' && unsent;
  return retryable && !isSuccess(status) && (repeatsSlowConnects || !isSlow);
}

/** Of a fault: the status said nothing of it. */
export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** A `Retry-After` gets some jitter too, or every client that was given the same one would return at once. */
function pickWait(made: number, retryAfterMs: number | undefined, random: () => number): number {
  return retryAfterMs === undefined
    ? random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** made)
    : retryAfterMs + random() * FIRST_WAIT_MS;
}

/** The time limit of one attempt, joined with the caller's signal. Stop it when the answer has been read. */
export interface TimeLimit {
  /** For `fetch`: aborted by the caller, by the time limit, or by `stop`. */
  readonly signal: AbortSignal;
  /** Aborted when the time was up. */
  readonly timeout: AbortSignal;
  /** The time begins again. */
  restart(): void;
  /** No time runs until the next `restart`. */
  pause(): void;
  /** Releases everything and ends what is still running. */
  stop(): void;
}

export type StartTimeLimit = (timeoutMs: number, signal?: AbortSignal) => TimeLimit;

/**
 * Not `AbortSignal.any` with `AbortSignal.timeout`: they cannot be restarted, and leave listeners at a signal that
 * lives as long as its process.
 */
export function startTimeLimit(timeoutMs: number, signal?: AbortSignal): TimeLimit {
  return createTimeLimit(signal, (end) => {
    let timer: NodeJS.Timeout | undefined;
    const pause = (): void => clearTimeout(timer);
    const restart = (): void => {
      pause();
      timer = setTimeout(end, timeoutMs);
    };
    return { restart, pause };
  });
}

/** A time limit over the timer of a platform, which `openTimer` gives; its time has begun. */
export function createTimeLimit(
  signal: AbortSignal | undefined,
  openTimer: (end: () => void) => Pick<TimeLimit, 'restart' | 'pause'>,
): TimeLimit {
  const both = new AbortController();
  const timeout = new AbortController();
  const { restart, pause } = openTimer(() => {
    timeout.abort();
    both.abort();
  });
  const onAbort = (): void => both.abort();
  const stop = (): void => {
    pause();
    signal?.removeEventListener('abort', onAbort);
    both.abort();
  };

  if (signal?.aborted === true) both.abort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  restart();
  return { signal: both.signal, timeout: timeout.signal, restart, pause, stop };
}

/** What a timer can hold. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/** The rule that a `timeoutMs` breaks, if it breaks one. */
export function checkTimeout(timeoutMs: unknown): readonly Problem[] {
  return checkInteger('timeoutMs', timeoutMs, 1, MAX_TIMEOUT_MS);
}

/** The rule that an option of the client breaks, if it breaks one. */
export function checkInteger(name: string, value: unknown, min: number, max: number): readonly Problem[] {
  const isRight = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  if (isRight) return [];
  const expected = `a whole number from ${min} to ${max}`;
  return [{ path: [name], code: 'invalid', expected, received: describeKind(value) }];
}
