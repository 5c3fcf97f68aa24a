import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { meetingLocator } from '../locators.ts';
import { nameMeeting } from '../name-meeting.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields, readParameter } from '../read-fields.ts';
import { whenNotReadyParameter } from '../when-not-ready.ts';
import { awaitEnd, type EndReached, type WaitTime } from './await-end.ts';

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 60;

export const description: OperationDescription = {
  value: 'waitUntilReady',
  name: 'Wait Until Ready',
  action: 'Wait until a meeting is ready',
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
export async function execute(
  context: IExecuteFunctions,
  itemIndex: number,
  time?: WaitTime,
): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, description);
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
