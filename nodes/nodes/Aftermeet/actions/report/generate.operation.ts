import { holdsReport, readCreatedId, readReport } from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sendOperation } from '../../transport/send-operation.ts';
import { asItem } from '../as-item.ts';
import { meetingLocator, templateLocator } from '../locators.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields, readParameter } from '../read-fields.ts';
import { simplifyReport } from './simplify-report.ts';

export const description: OperationDescription = {
  value: 'generate',
  name: 'Generate',
  action: 'Generate a report from a template',
  description: 'Make the report of a meeting by another template; the meeting may go back to processing',
  sends: 'reports.generate',
  parameters: { meeting_id: 'meetingId', template_name: 'templateName' },
  properties: [
    meetingLocator,
    { ...templateLocator, required: true },
    {
      displayName: 'Include Report',
      name: 'includeReport',
      type: 'boolean',
      default: false,
      description: 'Whether to return the report too, simplified as Get does it, where the answer holds one',
    },
  ],
};

/** Never sent twice when nobody knows whether the first one took effect: the edits of the report made first would be lost. */
export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, description);
  const { body } = await sendOperation(context, 'reports.generate', fields);
  const meetingId = String(fields['meeting_id']);
  const made = {
    meeting_id: meetingId,
    template_name: fields['template_name'],
    created_template_id: readCreatedId(body) ?? null,
  };
  if (readParameter(context, itemIndex, 'includeReport') !== true) return [asItem(made)];
  const report = holdsReport(body) ? simplifyReport(readReport(meetingId, body)) : null;
  return [asItem({ ...made, report })];
}
