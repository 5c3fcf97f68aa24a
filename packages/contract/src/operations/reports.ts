import * as z from 'zod';

import { blockNames, generationShape, notReadyShape, reportShape } from '../answer-shapes.ts';
import {
  anything,
  bodyNotShown,
  commonErrors,
  jsonBody,
  optionalId,
  optionalObject,
  reportNotReady,
  succeed,
} from '../answers.ts';
import { meetingId, possiblyEmptyText, templateName, text } from '../fields.ts';
import type { Operation } from '../operation.ts';

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
    params: { query: z.strictObject({ meeting_id: meetingId }) },
    // Observed: plain text with status 202 while the report is not ready. The JSON fields are not shown.
    response: 'mixed',
    answers: [
      succeed('The report.', jsonBody(reportShape)),
      {
        status: 202,
        meaning: 'There is no report yet: ask again later.',
        bodies: [{ mediaType: 'text/plain', schema: notReadyShape }],
        observed: true,
      },
    ],
    errors: commonErrors,
    output: anything,
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
    params: { body: z.strictObject({ meeting_id: meetingId, template_name: templateName }) },
    response: 'json',
    answers: [succeed('The report is generated.', jsonBody(generationShape))],
    errors: [400, 401, 402, 403, 404, 500],
    assumedErrors: [{ status: 409, meaning: 'There is no report yet, or nothing to make one from.' }],
    output: z.looseObject({ followup: optionalObject, created_template_id: optionalId }).catch({}),
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
      path: z.strictObject({ meeting_id: meetingId }),
      body: z.strictObject({
        templateId: text('the id of a template in this report').meta({
          description:
            'The template within the report: the id a generation returned, or one listed in the report',
        }),
        entityName: text('the name of a block such as summary').meta({
          description: 'The block; an open set',
          examples: ['summary'],
          observedExamples: blockNames,
        }),
        newSummaryText: possiblyEmptyText().meta({ description: 'The new text of the block' }),
      }),
    },
    response: 'mixed',
    answers: [succeed('The block is edited. The body is not shown.', bodyNotShown)],
    errors: commonErrors,
    assumedErrors: [reportNotReady],
    output: anything,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
