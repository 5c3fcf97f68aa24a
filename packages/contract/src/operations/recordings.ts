import * as z from 'zod';

import { statusShape } from '../answer-shapes.ts';
import { anything, bodyNotShown, commonErrors, succeed } from '../answers.ts';
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

const section = 'Recording';

/** Sending a bot to a meeting. The answers are not shown, except that a status is observed to be plain text. */
export const recordings = {
  start: {
    id: 'recordings.start',
    method: 'POST',
    path: '/api/record-meeting',
    summary: 'Send a bot to a meeting, now or later',
    description:
      'Without `local_date_time` and `cron` the bot goes at once. `local_date_time` lies at most three months ahead. All meetings of a `cron` series are observed to share one meeting id, and each replaces the report of the one before. Which fields are required is not shown; without the link no bot can go anywhere.',
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
    answers: [succeed('The recording is started or scheduled. The body is not shown.', bodyNotShown)],
    errors: [400, 401, 402, 403, 404, 409, 500],
    output: anything,
    repeatable: false,
  },
  status: {
    id: 'recordings.status',
    method: 'GET',
    path: '/api/meeting/status',
    summary: 'Ask how far a meeting is',
    description:
      'The status is observed to be plain text. `new` means that the meeting is ready and its report was not opened yet; reading the report turns it into `processed`.',
    section,
    params: { query: z.strictObject({ meeting_id: meetingId }) },
    response: 'mixed',
    answers: [
      {
        status: 200,
        meaning: 'The status of the meeting.',
        bodies: [{ mediaType: 'text/plain', schema: statusShape, observed: true }],
      },
    ],
    errors: commonErrors,
    output: anything,
    repeatable: true,
  },
  stop: {
    id: 'recordings.stop',
    method: 'POST',
    path: '/api/stop-recording',
    summary: 'Stop the bot before the meeting ends',
    description: 'To take back one that is still to come, use `recordings.cancel`.',
    section,
    params: { body: z.strictObject({ meeting_id: meetingId }) },
    response: 'mixed',
    answers: [succeed('The bot stops. The body is not shown.', bodyNotShown)],
    errors: commonErrors,
    output: anything,
    // Stopping twice leaves the same state as stopping once.
    repeatable: true,
  },
  cancel: {
    id: 'recordings.cancel',
    method: 'DELETE',
    path: '/api/record-meeting',
    summary: 'Cancel a scheduled recording',
    description: 'To end one whose bot is in the meeting, use `recordings.stop`.',
    section,
    params: { query: z.strictObject({ meeting_id: meetingId }) },
    response: 'mixed',
    answers: [succeed('The recording is cancelled. The body is not shown.', bodyNotShown)],
    errors: commonErrors,
    output: anything,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
