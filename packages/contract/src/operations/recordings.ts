import { optional, required } from '../field.ts';
import {
  localDateTime,
  meetingId,
  participants,
  source,
  templateName,
  webhookSecret,
  webhookUrl,
} from '../fields.ts';
import { commonErrors, type Operation } from '../operation.ts';
import { cronExpression, text, webAddress } from '../rules.ts';

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
      body: {
        link: required({ rule: webAddress, description: 'The meeting link' }),
        source: optional(source),
        title: optional({ rule: text(), description: 'The meeting title' }),
        localDateTime: optional(localDateTime),
        cron: optional({
          rule: cronExpression,
          description: 'Recurrence: a cron expression of five fields; observed to be read as UTC',
        }),
        templateName: optional(templateName),
        participants: optional(participants),
        webhookUrl: optional(webhookUrl),
        webhookSecret: optional(webhookSecret),
      },
    },
    response: 'mixed',
    errors: [400, 401, 402, 403, 404, 409, 500],
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
    params: { query: { meetingId: required(meetingId) } },
    response: 'mixed',
    errors: commonErrors,
    repeatable: true,
  },
  stop: {
    id: 'recordings.stop',
    method: 'POST',
    path: '/api/stop-recording',
    summary: 'Stop the bot before the meeting ends',
    description: 'To take back one that is still to come, use `recordings.cancel`.',
    section,
    params: { body: { meetingId: required(meetingId) } },
    response: 'mixed',
    errors: commonErrors,
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
    params: { query: { meetingId: required(meetingId) } },
    response: 'mixed',
    errors: commonErrors,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
