import { z } from 'zod';

import { meetingId, possiblyEmptyText, templateName, text } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { anything, optionalId, optionalObject } from '../responses.ts';

const section = 'Reports and templates';

/** Reading, making and editing reports. */
export const reports = {
  get: {
    id: 'reports.get',
    method: 'GET',
    path: '/api/video/report',
    summary: 'Read the full report of a meeting',
    section,
    params: { query: z.strictObject({ meeting_id: meetingId }) },
    // Observed: plain text with status 202 while the report is not ready. The JSON fields are not shown.
    response: 'mixed',
    output: anything,
    repeatable: true,
  },
  generate: {
    id: 'reports.generate',
    method: 'POST',
    path: '/api/generate-new-template',
    summary: 'Generate a report from a template',
    section,
    params: { body: z.strictObject({ meeting_id: meetingId, template_name: templateName }) },
    response: 'json',
    output: z.looseObject({ followup: optionalObject, created_template_id: optionalId }).catch({}),
    repeatable: false,
  },
  editBlock: {
    id: 'reports.editBlock',
    method: 'PUT',
    path: '/api/meeting/{meeting_id}/summary',
    summary: 'Replace the text of one report block',
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
        }),
        newSummaryText: possiblyEmptyText().meta({ description: 'The new text of the block' }),
      }),
    },
    response: 'mixed',
    output: anything,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
