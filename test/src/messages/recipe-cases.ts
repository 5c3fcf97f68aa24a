import { defaultTasksDataSourceId } from '@aftermeet/sandbox';

import { meetingParts } from '../../../recipes/src/destinations/http/write-meeting-body.ts';
import type { RecipeCase } from './read-messages.ts';

/** What to call it in a test's name, and a recipe with its options. */
export type NamedCase = readonly [called: string, recipe: RecipeCase];

const link = 'https://app.example.com/meetings/{meeting_id}';
const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

/** Each recipe that is made from a report, as it comes: what it says is read by people. */
export const plainCases: readonly NamedCase[] = [
  ['slack-recap', { use: 'slack-recap' }],
  ['slack-tasks', { use: 'slack-tasks', with: { link, fallback: 'C0FALLBACK' } }],
  ['notion-page', { use: 'notion-page', with: { link } }],
  ['notion-tasks', { use: 'notion-tasks', with: { link, dataSource: defaultTasksDataSourceId } }],
  ['email-follow-up', { use: 'email-follow-up', with: { link } }],
];

/** The same with options that change the content, and recipes whose destination shows no message. */
export const otherCases: readonly NamedCase[] = [
  [
    'slack-recap of few tasks, without sections and mentions',
    {
      use: 'slack-recap',
      with: { link, sections: ['outcome', 'summary', 'decisions', 'tasks'], mention: false, maxTasks: 3 },
    },
  ],
  ['notion-page without the transcript', { use: 'notion-page', with: { transcript: false } }],
  [
    'email-follow-up to insiders, without a calendar',
    { use: 'email-follow-up', with: { to: 'internal', calendar: false } },
  ],
  [
    'http-forward',
    {
      use: 'http-forward',
      with: { url: 'https://hooks.example.com/', secret, include: [...meetingParts], emails: true },
    },
  ],
  [
    'archive-export',
    { use: 'archive-export', with: { folder: '/srv/archive', format: ['pdf', 'docx', 'md'] } },
  ],
];

/** Each recipe that is made from an event alone. */
export const alertCases: readonly NamedCase[] = [
  ['slack-alert', { use: 'slack-alert' }],
  ['email-alert', { use: 'email-alert' }],
];

export const digestCase: RecipeCase = { use: 'email-digest', with: { link } };
