import { limits, platforms } from '@aftermeet/contract/pure';
import type { INodeProperties } from 'n8n-workflow';

import { templateLocator } from '../locators.ts';
import { webhookProperties } from '../webhook-properties.ts';

/** The parameters of a start. */
export const startProperties: readonly INodeProperties[] = [
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
      { name: 'Now', value: 'now', description: 'The bot goes at once' },
      {
        name: 'At a Time',
        value: 'at',
        description: `Once, at most ${limits.schedulingHorizonMonths} months ahead`,
      },
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
        type: 'string',
        default: '',
        placeholder: 'e.g. gmeet',
        description: `What the service calls the platform. Known are ${platforms.join(', ')}; others are passed on as they are.`,
      },
      ...webhookProperties,
    ],
  },
];
