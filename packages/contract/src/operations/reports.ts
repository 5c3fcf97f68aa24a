import { required } from '../field.ts';
import { meetingId, templateName } from '../fields.ts';
import { commonErrors, type Operation, reportNotReady } from '../operation.ts';
import { possiblyEmptyText, text } from '../rules.ts';
import { blockNames } from '../vocabulary.ts';

const section = 'Reports and templates';

/** Reading, making and editing reports. */
export const reports = {
  get: {
    id: 'reports.get',
    method: 'GET',
    path: '/api/video/report',
    summary: 'Read the full report of a meeting',
    description:
      'Until the meeting is processed the answer is observed to be status 202 and plain text. The first reading turns the status `new` into `processed`.',
    section,
    params: { query: { meetingId: required(meetingId) } },
    // Observed: plain text with status 202 while the report is not ready. The JSON fields are not shown.
    response: 'mixed',
    errors: commonErrors,
    repeatable: true,
  },
  generate: {
    id: 'reports.generate',
    method: 'POST',
    path: '/api/generate-new-template',
    summary: 'Generate a report from a template',
    description:
      'A report can be generated again at any time. The meeting is observed to go back to processing at times.',
    section,
    params: { body: { meetingId: required(meetingId), templateName: required(templateName) } },
    response: 'json',
    errors: [400, 401, 402, 403, 404, 500],
    assumedErrors: [{ status: 409, meaning: 'There is no report yet, or nothing to make one from.' }],
    repeatable: false,
  },
  editBlock: {
    id: 'reports.editBlock',
    method: 'PUT',
    path: '/api/meeting/{meeting_id}/summary',
    summary: 'Replace the text of one report block',
    description: 'An unknown template or block is observed to be a 404, a missing `templateId` a 400.',
    section,
    params: {
      path: { meetingId: required(meetingId) },
      body: {
        templateId: required({
          rule: text('the id of a template in this report'),
          description:
            'The template within the report: the id a generation returned, or one listed in the report',
        }),
        entityName: required({
          rule: text('the name of a block such as summary'),
          description: 'The block; an open set',
          examples: ['summary'],
          observedExamples: blockNames,
        }),
        newSummaryText: required({ rule: possiblyEmptyText(), description: 'The new text of the block' }),
      },
    },
    response: 'mixed',
    errors: commonErrors,
    assumedErrors: [reportNotReady],
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
