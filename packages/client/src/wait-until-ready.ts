import { askStatus, type AskedStatus } from './ask-status.ts';
import type { RecordingStatus, WaitOptions } from './client.ts';
import { explainFault } from './explain-fault.ts';
import { refuseInput } from './prepare-call.ts';
import type { Connection } from './send-request.ts';
import { ServiceError } from './service-error.ts';
import { waitForEnd } from './wait-for-end.ts';

const doing = 'recordings.waitUntilReady: GET /api/meeting/status';

const DEFAULT_PATIENCE_MS = 3_600_000;
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
  const { clock, random } = connection;
  const deadline = options.deadline ?? clock() + DEFAULT_PATIENCE_MS;
  if (Number.isNaN(deadline)) {
    throw refuseInput(doing, [{ field: 'deadline', message: 'must be a time in Unix milliseconds' }]);
  }
  return await waitForEnd({
    doing,
    ask(leftMs) {
      const timeoutMs = Math.min(connection.timeoutMs, Math.max(leftMs, LEAST_TIMEOUT_MS));
      return askOnce({ ...connection, timeoutMs, retries: 0 }, meetingId, signal);
    },
    async wait(ms) {
      try {
        await connection.wait(ms, signal);
      } catch (error) {
        throw explainFault(error, { doing, signal });
      }
    },
    clock,
    random,
    deadline,
    onStatus,
    onFault,
  });
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
