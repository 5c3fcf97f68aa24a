import { askStatus, type AskedStatus } from './ask-status.ts';
import type { RecordingStatus, WaitOptions } from './client.ts';
import { explainFault } from './explain-fault.ts';
import type { MeetingPhase } from './meeting-phase.ts';
import { refuseInput } from './prepare-call.ts';
import type { Connection } from './send-request.ts';
import { ServiceError } from './service-error.ts';

const doing = 'recordings.waitUntilReady: GET /api/meeting/status';

const ended: ReadonlySet<MeetingPhase> = new Set(['ready', 'failed', 'cancelled']);

const DEFAULT_PATIENCE_MS = 3_600_000;
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 30_000;
const GROWTH = 1.5;
/** A meeting that was started a moment ago may not be known everywhere yet: so long a 404 is not believed. */
const NOT_FOUND_GRACE_MS = 10_000;
/** Where nobody ever answered, the address is wrong or the service is not running: so long that may pass. */
const SILENCE_GRACE_MS = 60_000;
/** What a question near the deadline gets at least. */
const LEAST_TIMEOUT_MS = 5000;

/**
 * Asks for the state until it is final. Each question is asked once: a fault that may pass is met by the next
 * one, so that no retry sleeps past the deadline. The last question is asked at the deadline itself. An address
 * where nobody answers within the first minute ends the waiting with that fault.
 */
export async function waitUntilReady(
  connection: Connection,
  meetingId: string,
  options: WaitOptions = {},
): Promise<RecordingStatus> {
  const { signal, onStatus, onFault } = options;
  const startedMs = connection.clock();
  const deadline = options.deadline ?? startedMs + DEFAULT_PATIENCE_MS;
  if (Number.isNaN(deadline)) {
    throw refuseInput(doing, [{ field: 'deadline', message: 'must be a time in Unix milliseconds' }]);
  }
  let isAnswered = false;
  for (let baseMs = FIRST_WAIT_MS; ; baseMs = Math.min(baseMs * GROWTH, LONGEST_WAIT_MS)) {
    const leftMs = deadline - connection.clock();
    const timeoutMs = Math.min(connection.timeoutMs, Math.max(leftMs, LEAST_TIMEOUT_MS));
    const asked = await askOnce({ ...connection, timeoutMs, retries: 0 }, meetingId, signal);
    isAnswered ||= 'state' in asked || asked.status !== undefined;
    if ('state' in asked) {
      onStatus?.(asked.state);
      if (ended.has(asked.state.phase)) return asked.state;
    } else if (!mayPass(asked, connection.clock() - startedMs, isAnswered)) {
      throw asked;
    }
    if (leftMs <= 0) throw giveUp(asked);
    if (!('state' in asked)) onFault?.(asked);
    const jittered = baseMs * (1 - 0.2 * connection.random());
    const waitMs = Math.max(jittered, asked.retryAfterMs ?? 0);
    await waitAtMost(connection, Math.min(waitMs, deadline - connection.clock()), signal);
  }
}

/** The answer, or the error as a value. */
async function askOnce(
  connection: Connection,
  meetingId: string,
  signal: AbortSignal | undefined,
): Promise<AskedStatus | ServiceError> {
  try {
    return await askStatus(connection, meetingId, signal === undefined ? {} : { signal });
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function mayPass(error: ServiceError, waitedMs: number, isAnswered: boolean): boolean {
  if (error.code === 'not_found') return waitedMs < NOT_FOUND_GRACE_MS;
  return error.retryable && (isAnswered || waitedMs < SILENCE_GRACE_MS);
}

function giveUp(last: AskedStatus | ServiceError): ServiceError {
  return 'state' in last
    ? new ServiceError({ code: 'timeout', doing, detail: `still ${last.state.status} at the deadline` })
    : new ServiceError({ code: 'timeout', doing, detail: 'no answer at the deadline', cause: last });
}

async function waitAtMost(
  connection: Connection,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (waitMs <= 0) return;
  try {
    await connection.wait(Math.ceil(waitMs), signal);
  } catch (error) {
    throw explainFault(error, { doing, signal });
  }
}
