import { operations } from '@aftermeet/contract';

import type { CallOptions, EndedStatus, WaitOptions } from './client.ts';
import { ServiceError } from './errors.ts';
import { type Connection, sendRequest } from './http.ts';
import { readPhase, readStatusWord } from './meeting-status.ts';
import { refuseInput, toServiceError } from './service-fault.ts';
import { type AskedStatus, waitForEnd } from './wait-for-end.ts';

const waiting = { ...operations.recordings.status, id: 'recordings.waitUntilReady' };

const DEFAULT_PATIENCE_MS = 3_600_000;
/** What a question near the deadline gets at least. */
const MIN_TIMEOUT_MS = 5000;

/**
 * Asks for the state until it is final. Each question is asked once: a fault that may pass is met by the next
 * one, so that no retry sleeps past the deadline. The last question is asked at the deadline itself. An address
 * that gives no answer within the first minute, or only web pages for ten seconds, ends the waiting with that fault.
 */
export async function waitUntilReady(
  connection: Connection,
  meetingId: string,
  options: WaitOptions = {},
): Promise<EndedStatus> {
  const { signal, onStatus, onFault } = options;
  const { clock, random } = connection;
  const deadline = options.deadline ?? clock() + DEFAULT_PATIENCE_MS;
  if (Number.isNaN(deadline)) {
    throw refuseInput(waiting, [
      { path: ['deadline'], code: 'invalid', expected: 'a time in Unix milliseconds' },
    ]);
  }
  return await waitForEnd({
    operation: waiting,
    ask(leftMs) {
      const timeoutMs = Math.min(connection.timeoutMs, Math.max(leftMs, MIN_TIMEOUT_MS));
      return askOnce({ ...connection, timeoutMs, retries: 0 }, meetingId, signal);
    },
    async wait(ms) {
      try {
        await connection.wait(ms, signal);
      } catch (error) {
        throw toServiceError(error, { operation: waiting, signal });
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

export async function askStatus(
  connection: Connection,
  meetingId: string,
  options?: CallOptions,
): Promise<AskedStatus> {
  const input = { meetingId };
  const { body, retryAfterMs } = await sendRequest(connection, operations.recordings.status, input, options);
  const status = readStatusWord(body, meetingId);
  return {
    state: { phase: readPhase(status), status },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
