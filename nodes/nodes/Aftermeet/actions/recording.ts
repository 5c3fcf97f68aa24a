import { refuseInput } from '@aftermeet/client/pure';
import { checkStart, limits, operations } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { connect, type ServiceClient } from '../transport/connect.ts';
import {
  meetingLocator,
  nameMeeting,
  readInput,
  readMeetingId,
  readParameter,
  readTime,
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
  parameters: { meetingId: 'meetingId' },
  properties: [meetingLocator],
};

const statusDescription: OperationDescription = {
  value: 'status',
  name: 'Get Status',
  action: 'Get meeting status',
  description: 'Ask how far a meeting is',
  sends: 'recordings.status',
  parameters: { meetingId: 'meetingId' },
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
    localDateTime: 'localDateTime',
    cron: 'cron',
    templateName: 'templateName',
    participants: 'options.participants',
    webhookUrl: 'options.webhookUrl',
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
  parameters: { meetingId: 'meetingId' },
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
  const when = readParameter(context, itemIndex, 'when');
  const allowPast = readParameter(context, itemIndex, 'options.allowPast') === true;
  const frame = { when, timeZone: context.getTimezone(), nowMs: Date.now(), allowPast };
  const planned = planStart(readInput(context, itemIndex, startDescription, starting), frame);
  const input = await signWebhook(context, planned, starting);
  const { recordings } = await connect(context);
  const { meetingId, raw } = await recordings.start(input, { allowPast: true });
  return [nameMeeting(meetingId, raw)];
}

type StartInput = Parameters<ServiceClient['recordings']['start']>[0];

const starting = operations.recordings.start;

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
export function planStart(input: StartInput, { when, timeZone, nowMs, allowPast }: StartFrame): StartInput {
  const { localDateTime: given, cron, ...rest } = input;
  if (when === 'now') return rest;
  if (when === 'recurring') return { ...rest, cron: insist(cron, 'cron') };
  if (when !== 'at') {
    const expected = 'now, at or recurring';
    throw refuseInput(starting, [{ path: ['When'], code: 'invalid', expected }]);
  }
  const localDateTime = readTime(insist(given, 'localDateTime'), timeZone, starting, 'localDateTime');
  const problem = checkStart(localDateTime, nowMs, { allowPast });
  if (problem !== undefined) {
    // By the name of the option here.
    const override = problem.override === undefined ? undefined : 'Allow Past Start';
    throw refuseInput(starting, [{ ...problem, path: ['localDateTime'], override }]);
  }
  return { ...rest, localDateTime };
}

function insist<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value;
  throw refuseInput(starting, [{ path: [name], code: 'missing' }]);
}

async function executeStatus(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const meetingId = readMeetingId(context, itemIndex, statusDescription);
  const { recordings } = await connect(context);
  const { phase, status } = await recordings.status(meetingId);
  return [{ json: { meeting_id: meetingId, phase, status } }];
}

async function executeStop(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const meetingId = readMeetingId(context, itemIndex, stopDescription);
  const { recordings } = await connect(context);
  const { raw } = await recordings.stop(meetingId);
  return [nameMeeting(meetingId, raw, { stopped: true })];
}

async function executeCancel(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const meetingId = readMeetingId(context, itemIndex, cancelDescription);
  const { recordings } = await connect(context);
  const { raw } = await recordings.cancel(meetingId);
  return [nameMeeting(meetingId, raw, { cancelled: true })];
}
