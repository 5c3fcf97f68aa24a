import { z } from 'zod';

import {
  cron,
  localDateTime,
  meetingId,
  participants,
  source,
  templateName,
  text,
  webAddress,
  webhookAddress,
  webhookSecret,
} from '../fields.ts';
import type { Operation } from '../operation.ts';
import { anything } from '../responses.ts';

const section = 'Recording';

/** Sending a bot to a meeting. The answers are not shown, except that a status is observed to be plain text. */
export const recordings = {
  start: {
    id: 'recordings.start',
    method: 'POST',
    path: '/api/record-meeting',
    summary: 'Send a bot to a meeting, now or later',
    section,
    params: {
      // Which fields are required is not shown: without the link no bot can go anywhere.
      body: z.strictObject({
        link: webAddress.meta({ description: 'The meeting link' }),
        source: source.optional(),
        title: text().meta({ description: 'The meeting title' }).optional(),
        local_date_time: localDateTime.optional(),
        cron: cron.optional(),
        template_name: templateName.optional(),
        participants: participants.optional(),
        webhook_url: webhookAddress.optional(),
        webhook_secret: webhookSecret.optional(),
      }),
    },
    response: 'mixed',
    output: anything,
    repeatable: false,
  },
  status: {
    id: 'recordings.status',
    method: 'GET',
    path: '/api/meeting/status',
    summary: 'Ask how far a meeting is',
    section,
    params: { query: z.strictObject({ meeting_id: meetingId }) },
    response: 'mixed',
    output: anything,
    repeatable: true,
  },
  stop: {
    id: 'recordings.stop',
    method: 'POST',
    path: '/api/stop-recording',
    summary: 'Stop the bot before the meeting ends',
    section,
    params: { body: z.strictObject({ meeting_id: meetingId }) },
    response: 'mixed',
    output: anything,
    // Stopping twice leaves the same state as stopping once.
    repeatable: true,
  },
  cancel: {
    id: 'recordings.cancel',
    method: 'DELETE',
    path: '/api/record-meeting',
    summary: 'Cancel a scheduled recording',
    section,
    params: { query: z.strictObject({ meeting_id: meetingId }) },
    response: 'mixed',
    output: anything,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
