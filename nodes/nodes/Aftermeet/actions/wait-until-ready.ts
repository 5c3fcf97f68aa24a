import { readPhase, readStatusWord, ServiceError, waitForEnd } from '@aftermeet/client/pure';
import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { explainRequestFault } from '../transport/errors.ts';
import { findCancelSignal } from '../transport/raw-request.ts';
import { pauseFor, sendOperation } from '../transport/request.ts';
import type { WireFields } from '../wire/build-wire-request.ts';
import { meetingLocator, nameMeeting, readFields, readParameter, whenNotReadyParameter } from './fields.ts';
import type { OperationDescription } from './node-operation.ts';

const MINUTE_MS = 60_000;

const DEFAULT_MINUTES = 60;

export const waitUntilReadyDescription: OperationDescription = {
  value: 'waitUntilReady',
  name: 'Wait Until Ready',
  action: 'Wait until meeting is ready',
  description:
    'Ask for the status until there is a report. The execution stays open meanwhile: of long meetings an Aftermeet trigger is told without waiting.',
  sends: 'recordings.status',
  parameters: { meeting_id: 'meetingId' },
  properties: [
    meetingLocator,
    {
      displayName: 'Timeout (Minutes)',
      name: 'timeoutMinutes',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: DEFAULT_MINUTES,
      description: 'How long to wait at most, for each item in turn; 0 asks once',
    },
    whenNotReadyParameter,
  ],
};

/**
 * An item once the meeting is ready. A meeting that failed or was cancelled ends the waiting at once. That, and a meeting that is
 * not ready in time, is an error, because whatever follows needs the report; with When Not Ready it is an item instead.
 */
export async function executeWaitUntilReady(
  context: IExecuteFunctions,
  itemIndex: number,
  time?: WaitTime,
): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, waitUntilReadyDescription);
  const minutes = readMinutes(context, itemIndex);
  const reached = await awaitEnd(context, fields, minutes * MINUTE_MS, time);
  const ready = reached.state.phase === 'ready';
  if (!ready && readParameter(context, itemIndex, 'whenNotReady') !== 'item') {
    const [message, advice] = describeEnd(reached, minutes);
    throw new NodeOperationError(context.getNode(), message, { itemIndex, description: advice });
  }
  return [nameMeeting(String(fields['meeting_id']), undefined, { ready, ...reached.state })];
}

function readMinutes(context: IExecuteFunctions, itemIndex: number): number {
  const given = readParameter(context, itemIndex, 'timeoutMinutes');
  const minutes = given === '' ? DEFAULT_MINUTES : Number(given);
  if (Number.isFinite(minutes) && minutes >= 0) return minutes;
  throw new NodeOperationError(context.getNode(), 'Timeout (Minutes) must be a number from 0 up', {
    itemIndex,
  });
}

function describeEnd(
  { state, isLate }: EndReached,
  minutes: number,
): readonly [message: string, advice: string] {
  if (isLate) {
    return [
      `The meeting is not ready after ${minutes} minutes (status: ${state.status})`,
      'Raise the timeout, or let an Aftermeet trigger start what follows when the meeting is ready.',
    ];
  }
  return state.phase === 'cancelled'
    ? ['The recording was cancelled', 'There will be no report of it.']
    : [
        `The processing of the meeting failed (status: ${state.status})`,
        'The service may still complete it later, and an Aftermeet trigger would be told.',
      ];
}

/** How far a meeting is: our own word, and the service's. */
type MeetingState = Parameters<NonNullable<Parameters<typeof waitForEnd>[0]['onStatus']>>[0];

/** The outside world of a wait; each part has a default. */
interface WaitTime {
  /** Unix milliseconds. */
  readonly clock?: () => number;
  /** From 0 up to 1. */
  readonly random?: () => number;
  readonly pause?: (ms: number) => Promise<void>;
}

interface EndReached {
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
async function awaitEnd(
  context: IExecuteFunctions,
  fields: WireFields,
  patienceMs: number,
  time: WaitTime = {},
): Promise<EndReached> {
  const { clock = Date.now, random = Math.random, pause = pauseFor(context) } = time;
  const signal = findCancelSignal(context);
  let last: MeetingState | undefined;
  const wait: Parameters<typeof waitForEnd>[0] = {
    operation: doing,
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
    (state): EndReached => ({ state, isLate: false }),
    (error: unknown) => {
      if (!isDeadline(error)) throw error;
      // The fault of the last question says more than the timeout does.
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
  return error instanceof ServiceError && error.operation === doing && error.code === 'timeout';
}
