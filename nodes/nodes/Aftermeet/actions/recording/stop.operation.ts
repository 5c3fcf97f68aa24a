import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sendOperation } from '../../transport/send-operation.ts';
import { meetingLocator } from '../locators.ts';
import { nameMeeting } from '../name-meeting.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields } from '../read-fields.ts';

export const description: OperationDescription = {
  value: 'stop',
  name: 'Stop',
  action: 'Stop a recording',
  description: 'End a recording before its meeting ends; the report is made of what was recorded',
  sends: 'recordings.stop',
  parameters: { meeting_id: 'meetingId' },
  properties: [meetingLocator],
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, description);
  const { body } = await sendOperation(context, 'recordings.stop', fields);
  return [nameMeeting(String(fields['meeting_id']), body, { stopped: true })];
}
