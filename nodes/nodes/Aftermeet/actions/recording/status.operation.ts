import { readPhase, readStatusWord } from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sendOperation } from '../../transport/send-operation.ts';
import { meetingLocator } from '../locators.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields } from '../read-fields.ts';

export const description: OperationDescription = {
  value: 'status',
  name: 'Get Status',
  action: 'Get the status of a meeting',
  description: 'Ask how far a meeting is',
  sends: 'recordings.status',
  parameters: { meeting_id: 'meetingId' },
  properties: [meetingLocator],
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, description);
  const { body } = await sendOperation(context, 'recordings.status', fields);
  const meetingId = String(fields['meeting_id']);
  const status = readStatusWord(body, meetingId);
  return [{ json: { meeting_id: meetingId, phase: readPhase(status), status } }];
}
