import { hasEnded, type RecordingStatus, ServiceError } from '@aftermeet/client/pure';
import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { connect, type ConnectOptions } from '../transport/connect.ts';
import {
  meetingLocator,
  nameMeeting,
  readMeetingId,
  readParameter,
  whenNotReadyParameter,
} from './fields.ts';
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
  parameters: { meetingId: 'meetingId' },
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
  time?: Pick<ConnectOptions, 'clock' | 'random' | 'pause'>,
): Promise<INodeExecutionData[]> {
  const meetingId = readMeetingId(context, itemIndex, waitUntilReadyDescription);
  const minutes = readMinutes(context, itemIndex);
  const reached = await awaitEnd(context, meetingId, { ...time, patienceMs: minutes * MINUTE_MS });
  const ready = reached.state.phase === 'ready';
  if (!ready && readParameter(context, itemIndex, 'whenNotReady') !== 'item') {
    const [message, advice] = describeEnd(reached, minutes);
    throw new NodeOperationError(context.getNode(), message, { itemIndex, description: advice });
  }
  return [nameMeeting(meetingId, undefined, { ready, ...reached.state })];
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

interface EndReached {
  readonly state: RecordingStatus;
  /** True when it is the last state that was seen, and not final. */
  readonly isLate: boolean;
}

interface Patience extends ConnectOptions {
  readonly patienceMs: number;
}

/**
 * Asks how far the meeting is, as the client does, until its state is final or the time is up. Throws `ServiceError` for what
 * does not pass, for a service that is silent, and `aborted` soon after the execution is cancelled.
 */
async function awaitEnd(
  context: IExecuteFunctions,
  meetingId: string,
  { patienceMs, ...options }: Patience,
): Promise<EndReached> {
  if (patienceMs === 0) return await askOnce(context, meetingId, options);
  const { recordings, connection } = await connect(context, options);
  let last: RecordingStatus | undefined;
  const wait = {
    deadline: connection.clock() + patienceMs,
    onStatus: (seen: RecordingStatus) => {
      last = seen;
    },
  };
  return await recordings.waitUntilReady(meetingId, wait).then(
    (state): EndReached => ({ state, isLate: false }),
    (error: unknown) => {
      if (!isDeadline(error)) throw error;
      // The fault of the last question says more than the timeout does.
      if (last === undefined || error.cause !== undefined) throw error.cause;
      return { state: last, isLate: true };
    },
  );
}

/** With all the time that a request may take: there is no deadline to keep. */
async function askOnce(
  context: IExecuteFunctions,
  meetingId: string,
  options: ConnectOptions,
): Promise<EndReached> {
  const { recordings } = await connect(context, { ...options, retries: 0 });
  const state = await recordings.status(meetingId);
  return { state, isLate: !hasEnded(state) };
}

/** The end of the time. */
function isDeadline(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.operation === 'recordings.waitUntilReady' &&
    error.code === 'timeout'
  );
}
