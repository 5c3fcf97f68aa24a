import type { EndedStatus, RecordingStatus } from './client.ts';
import { type OperationName, ServiceError } from './errors.ts';
import { isSuccess } from './retries.ts';

export interface AskedStatus {
  readonly state: RecordingStatus;
  readonly retryAfterMs?: number;
}

export interface EndWait {
  /** Named in errors. */
  readonly operation: OperationName | string;
  /** Asks once, without repeating; a fault is a value. `leftMs` is the time to the deadline, which may have passed. */
  readonly ask: (leftMs: number) => Promise<AskedStatus | ServiceError>;
  readonly wait: (ms: number) => Promise<void>;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Unix milliseconds; the last question is asked at this time itself. */
  readonly deadline: number;
  readonly onStatus?: ((status: RecordingStatus) => void) | undefined;
  readonly onFault?: ((error: ServiceError) => void) | undefined;
}

export function hasEnded(state: RecordingStatus): state is EndedStatus {
  return state.phase === 'ready' || state.phase === 'failed' || state.phase === 'cancelled';
}

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 30_000;
const GROWTH = 1.5;
/** A meeting that was started a moment ago may not be known everywhere yet: so long a 404 is not believed. */
const NOT_FOUND_GRACE_MS = 10_000;
/** How long a service that has never answered may stay silent: after that the address is taken for wrong. */
const SILENCE_GRACE_MS = 60_000;
/** How long an address that has given nothing since but web pages and errors with a status of 200 is believed: a proxy shows a page while a service restarts. */
const PAGE_GRACE_MS = 10_000;

/**
 * Asks for the state until it is final. A fault that may pass is met by the next question, so that no retry sleeps
 * past the deadline. Throws `ServiceError`: `timeout` at the deadline, with the last fault as its cause where the last
 * question had no answer, and the fault itself where it cannot pass, when there was no answer within the first minute, or
 * nothing but web pages within the first ten seconds.
 */
export async function waitForEnd(facts: EndWait): Promise<EndedStatus> {
  const { operation, ask, wait, clock, random, deadline, onStatus, onFault } = facts;
  const startedMs = clock();
  let isAnswered = false;
  let firstPageMs: number | undefined;
  for (let baseMs = FIRST_WAIT_MS; ; baseMs = Math.min(baseMs * GROWTH, LONGEST_WAIT_MS)) {
    const leftMs = deadline - clock();
    const asked = await ask(leftMs);
    isAnswered ||= 'state' in asked || (asked.status !== undefined && !isSuccess(asked.status));
    if ('state' in asked) {
      onStatus?.(asked.state);
      if (hasEnded(asked.state)) return asked.state;
    } else {
      if (isSuccess(asked.status)) firstPageMs ??= clock();
      const sinceMs = isSuccess(asked.status) ? (firstPageMs ?? startedMs) : startedMs;
      if (!mayPass(asked, clock() - sinceMs, isAnswered)) throw asked;
    }
    if (leftMs <= 0) throw giveUp(operation, asked);
    if (!('state' in asked)) onFault?.(asked);
    const jittered = baseMs * (1 - 0.2 * random());
    const waitMs = Math.min(Math.max(jittered, asked.retryAfterMs ?? 0), deadline - clock());
    if (waitMs > 0) await wait(Math.ceil(waitMs));
  }
}

function mayPass(error: ServiceError, waitedMs: number, isAnswered: boolean): boolean {
  if (error.code === 'not_found') return waitedMs < NOT_FOUND_GRACE_MS;
  const graceMs = isSuccess(error.status) ? PAGE_GRACE_MS : SILENCE_GRACE_MS;
  // An address that has answered is right: a certificate of a network's login page, say, is there for a while only.
  const isBetween = isAnswered && error.code === 'connection' && error.unsent;
  return (error.retryable || isBetween) && (isAnswered || waitedMs < graceMs);
}

function giveUp(operation: OperationName | string, last: AskedStatus | ServiceError): ServiceError {
  return 'state' in last
    ? new ServiceError({ code: 'timeout', operation, detail: `still ${last.state.status} at the deadline` })
    : new ServiceError({ code: 'timeout', operation, detail: 'no answer at the deadline', cause: last });
}
