import { holdsReport, readReport, type Report, ServiceError } from '@aftermeet/client/pure';
import { operations } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect, type ServiceClient } from '../transport/connect.ts';
import { findReport } from './ask-report.ts';
import {
  meetingLocator,
  nameMeeting,
  readInput,
  readParameter,
  templateLocator,
  whenNotReadyParameter,
} from './fields.ts';
import { asItem, type NodeResource, type OperationDescription } from './node-operation.ts';
import { describeOutput, type OutputField, readOutput, simplify } from './output.ts';

/** What Get tells of a report; the first ten are what people ask for. */
const reportFields: readonly OutputField<Report>[] = [
  { name: 'meeting_id', read: ({ meetingId }) => meetingId },
  { name: 'ready', read: () => true },
  { name: 'title', read: ({ title }) => title },
  { name: 'started_at', read: ({ startedAt }) => startedAt },
  { name: 'duration_seconds', read: ({ durationSeconds }) => durationSeconds },
  { name: 'is_transcript_empty', read: ({ isTranscriptEmpty }) => isTranscriptEmpty },
  { name: 'participants', read: ({ participants }) => participants },
  { name: 'summary', read: ({ summary }) => summary },
  { name: 'decisions', read: ({ decisions }) => decisions },
  { name: 'tasks', read: ({ tasks }) => tasks.map(writeTask) },
  { name: 'chapters', isExtra: true, read: ({ chapters }) => chapters.map(writeChapter) },
  { name: 'ended_at', isExtra: true, read: ({ endedAt }) => endedAt },
  { name: 'keywords', isExtra: true, read: ({ keywords }) => keywords },
  { name: 'source', isExtra: true, read: ({ source }) => source },
  { name: 'speakers', isExtra: true, read: ({ speakers }) => speakers.map(({ name }) => name) },
  { name: 'status', isExtra: true, read: ({ status }) => status },
  { name: 'tags', isExtra: true, read: ({ tags }) => tags },
  { name: 'templates', isExtra: true, read: ({ templates }) => templates.map(writeTemplate) },
  { name: 'transcript', isExtra: true, read: ({ transcript }) => writeTranscript(transcript) },
  { name: 'warnings', isExtra: true, read: ({ warnings }) => warnings },
];

/** A task with the meeting that it comes from. */
interface FoundTask {
  readonly report: Report;
  readonly task: Report['tasks'][number];
}

const taskFields: readonly OutputField<FoundTask>[] = [
  { name: 'meeting_id', read: ({ report }) => report.meetingId },
  { name: 'meeting_title', read: ({ report }) => report.title },
  { name: 'title', read: ({ task }) => task.text },
  { name: 'owner', read: ({ task }) => task.owner },
  { name: 'due', read: ({ task }) => task.due },
  { name: 'due_date', read: ({ task }) => task.dueDate },
  { name: 'state', read: ({ task }) => task.state },
  { name: 'at_seconds', read: ({ task }) => task.atSeconds },
  { name: 'chapter', read: ({ task }) => task.chapter },
];

const editBlockDescription: OperationDescription = {
  value: 'editBlock',
  name: 'Edit Block',
  action: 'Edit report block',
  description: 'Replace the text of one block of a report, such as its summary',
  sends: 'reports.editBlock',
  parameters: {
    meetingId: 'meetingId',
    templateId: 'templateId',
    entityName: 'entityName',
    newSummaryText: 'newSummaryText',
  },
  properties: [
    meetingLocator,
    {
      displayName: 'Template',
      name: 'templateId',
      type: 'resourceLocator',
      default: { mode: 'list', value: '' },
      required: true,
      // Another meeting has other templates: the editor empties this and asks anew.
      typeOptions: { loadOptionsDependsOn: ['meetingId.value'] },
      description:
        'The template within the report of the meeting. Its ID is created_template_id of Generate, or stands in the field templates of Get. It is not the slug.',
      modes: [
        {
          displayName: 'From List',
          name: 'list',
          type: 'list',
          placeholder: 'Select a template of this report…',
          typeOptions: { searchListMethod: 'searchReportTemplates', searchable: true },
        },
        { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 5f0c7a52-…' },
      ],
    },
    {
      displayName: 'Block',
      name: 'entityName',
      type: 'resourceLocator',
      default: { mode: 'list', value: '' },
      required: true,
      typeOptions: { loadOptionsDependsOn: ['meetingId.value', 'templateId.value'] },
      description:
        'The block of this template, such as summary, protocol or tasks. The names stand in the field templates of Get.',
      modes: [
        {
          displayName: 'From List',
          name: 'list',
          type: 'list',
          placeholder: 'Select a block of this template…',
          typeOptions: { searchListMethod: 'searchReportBlocks', searchable: true },
        },
        { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. summary' },
      ],
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
  action: 'Generate report from template',
  description: 'Make the report of a meeting by another template; the meeting may go back to processing',
  sends: 'reports.generate',
  parameters: { meetingId: 'meetingId', templateName: 'templateName' },
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
  action: 'Get report',
  description:
    'Read what came out of one meeting: its summary, decisions, tasks and participants, or the fields that you choose',
  sends: 'reports.get',
  parameters: { meetingId: 'meetingId' },
  properties: [meetingLocator, ...describeOutput(reportFields, { hasRaw: true }), whenNotReadyParameter],
};

const getTasksDescription: OperationDescription = {
  value: 'getTasks',
  name: 'Get Tasks',
  action: 'Get report tasks',
  description:
    'Get the tasks that one meeting gave out, an item each, with owner, due date and how the task ended',
  sends: 'reports.get',
  parameters: { meetingId: 'meetingId' },
  properties: [meetingLocator, ...describeOutput(taskFields, { hasRaw: false }), whenNotReadyParameter],
};

export const reportResource: NodeResource = {
  value: 'report',
  name: 'Report',
  usual: 'get',
  operations: [
    { description: editBlockDescription, execute: executeEditBlock },
    { description: generateDescription, execute: executeGenerate },
    { description: getDescription, execute: executeGet },
    { description: getTasksDescription, execute: executeGetTasks },
  ],
};

async function executeGet(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const output = readOutput(context, itemIndex, reportFields);
  const found = await findReport(context, itemIndex, getDescription);
  if (!found.ready) return [found.item];
  return [output.isRaw ? asItem(found.report.raw) : output.pick(found.report)];
}

async function executeGetTasks(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const output = readOutput(context, itemIndex, taskFields);
  const found = await findReport(context, itemIndex, getTasksDescription);
  if (!found.ready) return [found.item];
  const { report } = found;
  return report.tasks.map((task) => output.pick({ report, task }));
}

/** A report small enough for an agent: what people ask for, without the transcript and the texts of all templates. Pure. */
export function simplifyReport(report: Report): Readonly<Record<string, unknown>> {
  return simplify(report, reportFields);
}

/** As Get Tasks writes it; what is not known is left out. */
function writeTask(task: FoundTask['task']): Readonly<Record<string, unknown>> {
  const { text, owner, due, dueDate, state, atSeconds, chapter } = task;
  return keepKnown({ title: text, owner, due, due_date: dueDate, state, at_seconds: atSeconds, chapter });
}

function writeChapter(chapter: Report['chapters'][number]): Readonly<Record<string, unknown>> {
  const { name, startSeconds, endSeconds } = chapter;
  return keepKnown({ name, start_seconds: startSeconds, end_seconds: endSeconds });
}

/** What an edit needs. */
function writeTemplate({ id, name, blocks }: Report['templates'][number]): Readonly<Record<string, unknown>> {
  return { id: id ?? null, name, blocks: blocks.map((block) => block.name) };
}

function keepKnown(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
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
  const { reports } = await connect(context);
  const input = readInput(context, itemIndex, generateDescription, operations.reports.generate);
  const { createdTemplateId, raw } = await reports.generate(input);
  const { meetingId } = input;
  const made = {
    meeting_id: meetingId,
    template_name: input.templateName,
    created_template_id: createdTemplateId ?? null,
  };
  if (readParameter(context, itemIndex, 'includeReport') !== true) return [asItem(made)];
  const report = holdsReport(raw) ? simplifyReport(readReport(meetingId, raw)) : null;
  return [asItem({ ...made, report })];
}

async function executeEditBlock(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const { reports } = await connect(context);
  const input = readText(context, itemIndex);
  await reports.editBlock(input);
  const { meetingId, templateId, entityName } = input;
  const edited = { template_id: templateId, block: entityName, edited: true };
  return [nameMeeting(meetingId, undefined, edited)];
}

type EditInput = Parameters<ServiceClient['reports']['editBlock']>[0];

/** An expression that finds nothing must not take a summary away. */
function readText(context: IExecuteFunctions, itemIndex: number): EditInput {
  const fields = readInput(context, itemIndex, editBlockDescription, operations.reports.editBlock);
  if (readParameter(context, itemIndex, 'isEmptied') === true) return { ...fields, newSummaryText: '' };
  if (fields.newSummaryText !== '') return fields;
  const detail = 'New Text is empty: turn on Empty the Block where that is meant';
  throw new ServiceError({
    code: 'bad_request',
    operation: operations.reports.editBlock,
    detail,
    unsent: true,
  });
}
