import {
  AmbiguousWriteError,
  type ServiceError,
  findVerifyCall,
  readPhase,
  readStartedId,
  readStatusWord,
  refuseInput,
} from '@aftermeet/client/pure';
import { checkStart, limits } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { describeOperation, sendOperation } from '../transport/request.ts';
import { toInput, type WireFields } from '../wire/build-wire-request.ts';
import { wireOperations } from '../wire/wire-operations.ts';
import {
  meetingLocator,
  nameMeeting,
  placeInTime,
  readFields,
  readParameter,
  templateLocator,
} from './fields.ts';
import type { NodeResource, OperationDescription } from './node-operation.ts';
import { platformChoices } from './platform-choices.ts';
import { signedField, signWebhook, webhookUrlParameter } from './sign-webhook.ts';
import { executeWaitUntilReady, waitUntilReadyDescription } from './wait-until-ready.ts';

const cancelDescription: OperationDescription = {
  value: 'cancel',
  name: 'Cancel',
  action: 'Cancel scheduled recording',
  description: 'Take back a recording that has not begun; one that has is ended by Stop',
  sends: 'recordings.cancel',
  parameters: { meeting_id: 'meetingId' },
  properties: [meetingLocator],
};

const statusDescription: OperationDescription = {
  value: 'status',
  name: 'Get Status',
  action: 'Get meeting status',
  description: 'Ask how far a meeting is',
  sends: 'recordings.status',
  parameters: { meeting_id: 'meetingId' },
  properties: [meetingLocator],
};

/** The parameters of a start. */
const startProperties: readonly INodeProperties[] = [
  {
    displayName: 'Meeting Link',
    name: 'link',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. https://meet.example.com/abc-defg-hij',
    description: 'Where the bot goes: the link that people join with',
  },
  {
    displayName: 'When',
    name: 'when',
    type: 'options',
    default: 'now',
    options: [
      {
        name: 'At a Time',
        value: 'at',
        description: `Once, at most ${limits.schedulingHorizonMonths} months ahead`,
      },
      { name: 'Now', value: 'now', description: 'The bot goes at once' },
      { name: 'Recurring', value: 'recurring', description: 'Again and again, by a cron expression' },
    ],
  },
  {
    displayName: 'Start Time',
    name: 'localDateTime',
    type: 'dateTime',
    default: '',
    required: true,
    displayOptions: { show: { when: ['at'] } },
    description: "Without a UTC offset it is a time in the workflow's time zone",
  },
  {
    displayName: 'Cron Expression',
    name: 'cron',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'e.g. 0 9 * * 1',
    displayOptions: { show: { when: ['recurring'] } },
    description:
      'Five fields: minute, hour, day, month, day of the week. The service reads it as UTC, so the time of day moves with the clocks. All meetings of a series share one meeting ID, and each one replaces the report of the one before.',
  },
  {
    displayName: 'Title',
    name: 'title',
    type: 'string',
    default: '',
    description: 'The title of the meeting; by it a search finds the meeting again',
  },
  templateLocator,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Allow Past Start',
        name: 'allowPast',
        type: 'boolean',
        default: false,
        description:
          'Whether a Start Time that has passed is sent all the same; otherwise it is refused, as it is mostly a mistake',
      },
      {
        displayName: 'Participants',
        name: 'participants',
        type: 'string',
        default: '',
        placeholder: 'e.g. ann@example.com, bob@example.com',
        description:
          'E-mail addresses with commas in between. The service itself may write to these people: leave it empty unless they are to hear from it.',
      },
      {
        displayName: 'Platform',
        name: 'source',
        type: 'options',
        default: 'gmeet',
        options: platformChoices,
        description:
          'Where the meeting takes place; the list is that of the platforms that are known, and an expression may give another one',
      },
      webhookUrlParameter,
    ],
  },
];

const startDescription: OperationDescription = {
  value: 'start',
  name: 'Start or Schedule',
  action: 'Start or schedule recording',
  description: 'Send a bot to an online meeting, now, at a time, or again and again',
  sends: 'recordings.start',
  parameters: {
    link: 'link',
    source: 'options.source',
    title: 'title',
    local_date_time: 'localDateTime',
    cron: 'cron',
    template_name: 'templateName',
    participants: 'options.participants',
    webhook_url: 'options.webhookUrl',
  },
  filled: signedField,
  properties: startProperties,
};

const stopDescription: OperationDescription = {
  value: 'stop',
  name: 'Stop',
  action: 'Stop recording',
  description: 'End a recording before its meeting ends; the report is made of what was recorded',
  sends: 'recordings.stop',
  parameters: { meeting_id: 'meetingId' },
  properties: [meetingLocator],
};

export const recordingResource: NodeResource = {
  value: 'recording',
  name: 'Recording',
  usual: 'start',
  operations: [
    { description: cancelDescription, execute: executeCancel },
    { description: statusDescription, execute: executeStatus },
    { description: startDescription, execute: executeStart },
    { description: stopDescription, execute: executeStop },
    { description: waitUntilReadyDescription, execute: executeWaitUntilReady },
  ],
};

/** Never sent twice when it is unknown whether the first one took effect: two bots would come. */
async function executeStart(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const nowMs = Date.now();
  const when = readParameter(context, itemIndex, 'when');
  const allowPast = readParameter(context, itemIndex, 'options.allowPast') === true;
  const frame = { when, timeZone: context.getTimezone(), nowMs, allowPast };
  const planned = planStart(readFields(context, itemIndex, startDescription), frame);
  const fields = await signWebhook(context, planned, startName);
  const { status, body } = await sendOperation(context, 'recordings.start', fields);
  const meetingId = readStartedId(body);
  if (meetingId === undefined) {
    throw new AmbiguousWriteError({
      operation: describeOperation(wireOperations['recordings.start']),
      reason: 'the answer names no meeting',
      verifyWith: findVerifyCall(
        'recordings.start',
        toInput(wireOperations['recordings.start'], fields),
        nowMs,
      ),
      status,
    });
  }
  return [nameMeeting(meetingId, body)];
}

export interface StartFrame {
  /** The parameter When. */
  readonly when: unknown;
  /** IANA name, of the workflow. */
  readonly timeZone: string;
  readonly nowMs: number;
  /** Default false. */
  readonly allowPast?: boolean;
}

/**
 * The fields of a start with those of its time alone that its When asks for; what was typed for another choice stays out. Throws
 * `bad_request` for one without its time, which would send the bot at once, for one that is too far ahead (specification,
 * "Limits"), and for one that has passed. Pure.
 */
export function planStart(fields: WireFields, { when, timeZone, nowMs, allowPast }: StartFrame): WireFields {
  const { local_date_time: given, cron, ...rest } = fields;
  if (when === 'now') return rest;
  if (when === 'recurring') return { ...rest, cron: insist(cron, 'cron') };
  if (when !== 'at') throw refuse('When', 'now, at or recurring');
  const start = placeInTime(insist(given, 'local_date_time'), timeZone);
  const problem = checkStart(typeof start === 'string' ? start : undefined, nowMs, { allowPast });
  if (problem !== undefined) {
    // By the name of the option here.
    const override = problem.override === undefined ? undefined : 'Allow Past Start';
    throw refuseInput(startName, [{ ...problem, path: ['local_date_time'], override }]);
  }
  return { ...rest, local_date_time: start };
}

const startName = describeOperation(wireOperations['recordings.start']);

function insist(value: unknown, name: string): unknown {
  if (value === undefined) {
    throw refuseInput(startName, [{ path: [name], code: 'missing' }]);
  }
  return value;
}

function refuse(name: string, expected: string): ServiceError {
  return refuseInput(startName, [{ path: [name], code: 'invalid', expected }]);
}

async function executeStatus(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, statusDescription);
  const { body } = await sendOperation(context, 'recordings.status', fields);
  const meetingId = String(fields['meeting_id']);
  const status = readStatusWord(body, meetingId);
  return [{ json: { meeting_id: meetingId, phase: readPhase(status), status } }];
}

async function executeStop(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, stopDescription);
  const { body } = await sendOperation(context, 'recordings.stop', fields);
  return [nameMeeting(String(fields['meeting_id']), body, { stopped: true })];
}

async function executeCancel(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const fields = readFields(context, itemIndex, cancelDescription);
  const { body } = await sendOperation(context, 'recordings.cancel', fields);
  return [nameMeeting(String(fields['meeting_id']), body, { cancelled: true })];
}
