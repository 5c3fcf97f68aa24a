import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sendOperation } from '../../transport/send-operation.ts';
import { meetingLocator } from '../locators.ts';
import { nameMeeting } from '../name-meeting.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields } from '../read-fields.ts';

export const description: OperationDescription = {
  value: 'cancel',
  name: 'Cancel',
  action: 'Cancel a scheduled recording',
  description: 'Take back a recording that has not begun; one that has is ended by Stop',
  sends: 'recordings.cancel',
  parameters: { meeting_id: 'meetingId' },
  properties: [meetingLocator],
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, description);
  const { body } = await sendOperation(context, 'recordings.cancel', fields);
  return [nameMeeting(String(fields['meeting_id']), body, { cancelled: true })];
}
