import {
  holdsReport,
  readCreatedId,
  readReport,
  readReportAnswer,
  type Report,
  ServiceError,
} from '@aftermeet/client/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { describeOperation, readCredential, sendOperation } from '../transport/request.ts';
import type { WireFields } from '../wire/build-wire-request.ts';
import { wireOperations } from '../wire/wire-operations.ts';
import {
  meetingLocator,
  nameMeeting,
  readFields,
  readParameter,
  templateLocator,
  whenNotReadyParameter,
} from './fields.ts';
import { asItem, type NodeResource, type OperationDescription } from './node-operation.ts';

const editBlockDescription: OperationDescription = {
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

const generateDescription: OperationDescription = {
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

const getDescription: OperationDescription = {
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

export const reportResource: NodeResource = {
  value: 'report',
  name: 'Report',
  usual: 'get',
  operations: [
    { description: editBlockDescription, execute: executeEditBlock },
    { description: generateDescription, execute: executeGenerate },
    { description: getDescription, execute: executeGet },
  ],
};

async function executeGet(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, getDescription);
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
  return new ServiceError({
    code: 'not_ready',
    operation: doing,
    status,
    detail: `there is no report yet: ${word}`,
  });
}

/**
 * A report small enough for an agent: what people ask for, without the transcript and the texts of all templates. Pure. The
 * templates are named with their ids and blocks, which is what an edit needs. A list stays a list where it is empty; what the
 * report does not say is null, so that every item has the same fields.
 */
export function simplifyReport(
  report: Report,
  { includeTranscript = false }: { readonly includeTranscript?: boolean } = {},
): Readonly<Record<string, unknown>> {
  const { title, isTranscriptEmpty, participants, decisions, tasks, keywords, tags, warnings } = report;
  return {
    meeting_id: report.meetingId,
    ready: true,
    title,
    startedAt: report.startedAt ?? null,
    durationSeconds: report.durationSeconds ?? null,
    source: report.source ?? null,
    isTranscriptEmpty,
    participants,
    speakers: report.speakers.map(({ name }) => name),
    summary: report.summary ?? null,
    decisions,
    tasks,
    keywords,
    tags,
    templates: report.templates.map(({ id, name, blocks }) => ({
      id: id ?? null,
      name,
      blocks: blocks.map((block) => block.name),
    })),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(includeTranscript ? { transcript: writeTranscript(report.transcript) } : {}),
  };
}

/** `[00:01:05] Ann: Good morning`, a line for each piece; what is not known of it is left out. Pure. */
export function writeTranscript(segments: Report['transcript']): string {
  return segments
    .map(({ startSeconds, speaker, text }) => {
      const time = startSeconds === undefined ? '' : `[${writeClock(startSeconds)}] `;
      const line = text.replaceAll(/\s*\n\s*/g, ' ');
      return `${time}${speaker === undefined ? '' : `${speaker}: `}${line}`;
    })
    .join('\n');
}

function writeClock(seconds: number): string {
  const whole = Math.floor(seconds);
  return [whole / 3600, (whole / 60) % 60, whole % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
}

/** Never sent twice when it is unknown whether the first one took effect: the edits of the report made first would be lost. */
async function executeGenerate(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, generateDescription);
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

async function executeEditBlock(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const fields = readText(context, itemIndex);
  const { body } = await sendOperation(context, 'reports.editBlock', fields);
  const { meeting_id: meetingId, templateId, entityName } = fields;
  return [nameMeeting(String(meetingId), body, { templateId, entityName, edited: true })];
}

/** An expression that finds nothing must not take a summary away. */
function readText(context: IExecuteFunctions, itemIndex: number): WireFields {
  const fields = readFields(context, itemIndex, editBlockDescription);
  if (readParameter(context, itemIndex, 'isEmptied') === true) return { ...fields, newSummaryText: '' };
  if (fields['newSummaryText'] !== '') return fields;
  const detail = 'New Text is empty: turn on Empty the Block where that is meant';
  throw new ServiceError({ code: 'bad_request', operation: 'reports.editBlock', detail, unsent: true });
}
