import { explainFault } from './explain-fault.ts';
import type { Connection } from './send-request.ts';
import { ServiceError } from './service-error.ts';

/** The first wait is at most this long, each later one at most twice the one before. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A `Retry-After` beyond this is for the caller to decide: the error is thrown at once and carries it. */
const LONGEST_OBEYED_MS = 60_000;

/**
 * Makes the attempt, and again while it throws a `ServiceError` that is `retryable` and retries are left.
 * Waits between attempts grow exponentially with full jitter; a `Retry-After` up to a minute is obeyed, a
 * longer one ends the repeating. Aborting the signal ends a wait at once with `aborted`.
 */
export async function withRetries<T>(
  connection: Pick<Connection, 'retries' | 'random' | 'wait'>,
  attempt: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let made = 0; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.retryable || made >= connection.retries) throw error;
      if ((error.retryAfterMs ?? 0) > LONGEST_OBEYED_MS) throw error;
      await waitPolitely(connection, pickWait(made, error.retryAfterMs, connection.random), error, signal);
    }
  }
}

/** On top of a `Retry-After` stands some jitter too: everybody who was told the same would come back together. */
function pickWait(made: number, retryAfterMs: number | undefined, random: () => number): number {
  return retryAfterMs === undefined
    ? random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** made)
    : retryAfterMs + random() * FIRST_WAIT_MS;
}

async function waitPolitely(
  connection: Pick<Connection, 'wait'>,
  waitMs: number,
  { doing }: ServiceError,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await connection.wait(Math.round(waitMs), signal);
    signal?.throwIfAborted();
  } catch (fault) {
    throw explainFault(fault, { doing, signal });
  }
}
