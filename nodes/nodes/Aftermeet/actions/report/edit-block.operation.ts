import { ServiceError } from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sendOperation } from '../../transport/send-operation.ts';
import type { WireFields } from '../../wire/build-wire-request.ts';
import { meetingLocator } from '../locators.ts';
import { nameMeeting } from '../name-meeting.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields, readParameter } from '../read-fields.ts';

export const description: OperationDescription = {
  value: 'editBlock',
  name: 'Edit Block',
  action: 'Edit a block of a report',
  description: 'Replace the text of one block of a report, such as its summary',
  sends: 'reports.editBlock',
  parameters: {
    meeting_id: 'meetingId',
    templateId: 'templateId',
    entityName: 'entityName',
    newSummaryText: 'newSummaryText',
  },
  properties: [
    meetingLocator,
    {
      displayName: 'Template ID',
      name: 'templateId',
      type: 'string',
      default: '',
      required: true,
      description:
        'The template within this report: created_template_id of Generate, or the ID of one of the templates that Get returns. It is not the slug.',
    },
    {
      displayName: 'Block',
      name: 'entityName',
      type: 'string',
      default: 'summary',
      required: true,
      placeholder: 'e.g. summary',
      description:
        'The name of the block. Known are summary, summary_agenda, summary_by_speaker, protocol, tasks, questions_and_answers, one_to_one, team_sync_agenda, sales_general, sales_coach, hr_summary, research_insights and med-anamnesis; Get lists those of the report.',
    },
    {
      displayName: 'Empty the Block',
      name: 'isEmptied',
      type: 'boolean',
      default: false,
      description: 'Whether to take the text that is there away and put none in its place',
    },
    {
      displayName: 'New Text',
      name: 'newSummaryText',
      type: 'string',
      typeOptions: { rows: 5 },
      default: '',
      required: true,
      displayOptions: { show: { isEmptied: [false] } },
      description: 'In Markdown, in place of the text that is there',
    },
  ],
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readText(context, itemIndex);
  const { body } = await sendOperation(context, 'reports.editBlock', fields);
  const { meeting_id: meetingId, templateId, entityName } = fields;
  return [nameMeeting(String(meetingId), body, { templateId, entityName, edited: true })];
}

/** An expression that finds nothing must not take a summary away. */
function readText(context: IExecuteFunctions, itemIndex: number): WireFields {
  const fields = readFields(context, itemIndex, description);
  if (readParameter(context, itemIndex, 'isEmptied') === true) return { ...fields, newSummaryText: '' };
  if (fields['newSummaryText'] !== '') return fields;
  const detail = 'New Text is empty: turn on Empty the Block where that is meant';
  throw new ServiceError({ code: 'bad_request', doing: 'reports.editBlock', detail, unsent: true });
}
