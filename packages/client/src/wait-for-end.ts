import type { AskedStatus } from './ask-status.ts';
import type { RecordingStatus } from './client.ts';
import type { MeetingPhase } from './meeting-phase.ts';
import { ServiceError } from './service-error.ts';

export interface EndWait {
  /** Stands in errors. */
  readonly doing: string;
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

const ended: ReadonlySet<MeetingPhase> = new Set(['ready', 'failed', 'cancelled']);

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 30_000;
const GROWTH = 1.5;
/** A meeting that was started a moment ago may not be known everywhere yet: so long a 404 is not believed. */
const NOT_FOUND_GRACE_MS = 10_000;
/** Where nobody ever answered, the address is wrong or the service is not running: so long that may pass. */
const SILENCE_GRACE_MS = 60_000;

/**
 * Asks for the state until it is final. A fault that may pass is met by the next question, so that no retry sleeps
 * past the deadline. Throws `ServiceError`: `timeout` at the deadline, with the last fault as its cause where the last
 * question had no answer, and the fault itself where it can not pass, or where nobody answered within the first minute.
 */
export async function waitForEnd(facts: EndWait): Promise<RecordingStatus> {
  const { doing, ask, wait, clock, random, deadline, onStatus, onFault } = facts;
  const startedMs = clock();
  let isAnswered = false;
  for (let baseMs = FIRST_WAIT_MS; ; baseMs = Math.min(baseMs * GROWTH, LONGEST_WAIT_MS)) {
    const leftMs = deadline - clock();
    const asked = await ask(leftMs);
    isAnswered ||= 'state' in asked || asked.status !== undefined;
    if ('state' in asked) {
      onStatus?.(asked.state);
      if (ended.has(asked.state.phase)) return asked.state;
    } else if (!mayPass(asked, clock() - startedMs, isAnswered)) {
      throw asked;
    }
    if (leftMs <= 0) throw giveUp(doing, asked);
    if (!('state' in asked)) onFault?.(asked);
    const jittered = baseMs * (1 - 0.2 * random());
    const waitMs = Math.min(Math.max(jittered, asked.retryAfterMs ?? 0), deadline - clock());
    if (waitMs > 0) await wait(Math.ceil(waitMs));
  }
}

function mayPass(error: ServiceError, waitedMs: number, isAnswered: boolean): boolean {
  if (error.code === 'not_found') return waitedMs < NOT_FOUND_GRACE_MS;
  return error.retryable && (isAnswered || waitedMs < SILENCE_GRACE_MS);
}

function giveUp(doing: string, last: AskedStatus | ServiceError): ServiceError {
  return 'state' in last
    ? new ServiceError({ code: 'timeout', doing, detail: `still ${last.state.status} at the deadline` })
    : new ServiceError({ code: 'timeout', doing, detail: 'no answer at the deadline', cause: last });
}
