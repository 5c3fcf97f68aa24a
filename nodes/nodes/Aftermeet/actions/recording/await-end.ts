import { readPhase, readStatusWord, ServiceError, waitForEnd } from '@aftermeet/client/pure';
import type { IExecuteFunctions } from 'n8n-workflow';

import { explainRequestFault } from '../../transport/explain-request-fault.ts';
import { findCancelSignal, pauseFor } from '../../transport/pause-for.ts';
import { sendOperation } from '../../transport/send-operation.ts';
import type { WireFields } from '../../wire/build-wire-request.ts';

/** How far a meeting is: our own word, and the service's. */
type MeetingState = Awaited<ReturnType<typeof waitForEnd>>;

/** The outside world of a wait; each part has a default. */
export interface WaitTime {
  /** Unix milliseconds. */
  readonly clock?: () => number;
  /** From 0 up to 1. */
  readonly random?: () => number;
  readonly pause?: (ms: number) => Promise<void>;
}

export interface EndReached {
  readonly state: MeetingState;
  /** True when it is the last state that was seen, and not final. */
  readonly isLate: boolean;
}

const doing = 'recordings.waitUntilReady: GET /api/meeting/status';

/**
 * Asks how far the meeting of these fields is, politely as the client does (2 s at first, half a minute at last), until its state is final or the
 * time is up. Throws `ServiceError` for what does not pass, for a service that is silent, and `aborted` soon after the execution
 * is cancelled.
 */
export async function awaitEnd(
  context: IExecuteFunctions,
  fields: WireFields,
  patienceMs: number,
  time: WaitTime = {},
): Promise<EndReached> {
  const { clock = Date.now, random = Math.random, pause = pauseFor(context) } = time;
  const signal = findCancelSignal(context);
  let last: MeetingState | undefined;
  const wait: Parameters<typeof waitForEnd>[0] = {
    doing,
    ask: () => askOnce(context, fields, clock).catch(asAnswer),
    async wait(ms) {
      try {
        await pause(ms);
      } catch (error) {
        throw explainRequestFault(error, { doing, signal });
      }
    },
    clock,
    random,
    deadline: clock() + patienceMs,
    onStatus: (seen) => {
      last = seen;
    },
  };
  return await waitForEnd(wait).then(
    (state) => ({ state, isLate: false }),
    (error: unknown) => {
      if (!isDeadline(error)) throw error;
      // The fault of the last question says more than that nobody answered it.
      if (last === undefined || error.cause !== undefined) throw error.cause;
      return { state: last, isLate: true };
    },
  );
}

async function askOnce(context: IExecuteFunctions, fields: WireFields, clock: () => number) {
  const options = { retries: 0, clock };
  const answer = await sendOperation(context, 'recordings.status', fields, options);
  const status = readStatusWord(answer.body, String(fields['meeting_id']));
  return { ...answer, state: { phase: readPhase(status), status } };
}

/** A fault of the service is an answer too, and may pass. */
function asAnswer(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/** The end of the time. */
function isDeadline(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.doing === doing && error.code === 'timeout';
}
