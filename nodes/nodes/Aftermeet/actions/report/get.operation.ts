import { readReportAnswer, ServiceError } from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readCredential } from '../../transport/read-credential.ts';
import { describeOperation, sendOperation } from '../../transport/send-operation.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import { asItem } from '../as-item.ts';
import { meetingLocator } from '../locators.ts';
import { nameMeeting } from '../name-meeting.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields, readParameter } from '../read-fields.ts';
import { whenNotReadyParameter } from '../when-not-ready.ts';
import { simplifyReport } from './simplify-report.ts';

export const description: OperationDescription = {
  value: 'get',
  name: 'Get',
  action: 'Get the report of a meeting',
  description: 'Read the summary, decisions and tasks of a meeting, or its whole report',
  sends: 'reports.get',
  parameters: { meeting_id: 'meetingId' },
  properties: [
    meetingLocator,
    {
      displayName: 'Simplify',
      name: 'simplify',
      type: 'boolean',
      default: true,
      description: 'Whether to return a simplified version of the response instead of the raw data',
    },
    {
      displayName: 'Include Transcript',
      name: 'includeTranscript',
      type: 'boolean',
      default: false,
      displayOptions: { show: { simplify: [true] } },
      description: 'Whether to return what was said as well, as text of a line for each turn; it can be long',
    },
    whenNotReadyParameter,
  ],
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, description);
  const answer = await sendOperation(context, 'reports.get', fields);
  const { apiKey } = await readCredential(context);
  const meetingId = String(fields['meeting_id']);
  const reading = readReportAnswer(meetingId, answer, apiKey);
  if (!reading.ready) {
    const { status } = reading;
    if (readParameter(context, itemIndex, 'whenNotReady') === 'item') {
      return [nameMeeting(meetingId, undefined, { ready: false, status })];
    }
    throw refuseUnready(answer.status, status);
  }
  if (readParameter(context, itemIndex, 'simplify') === false) return [asItem(answer.body)];
  const includeTranscript = readParameter(context, itemIndex, 'includeTranscript') === true;
  return [asItem(simplifyReport(reading.report, { includeTranscript }))];
}

function refuseUnready(status: number, word: string): ServiceError {
  const doing = describeOperation(wireOperations['reports.get']);
  return new ServiceError({ code: 'not_ready', doing, status, detail: `there is no report yet: ${word}` });
}
