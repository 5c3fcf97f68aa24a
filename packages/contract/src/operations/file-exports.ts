import * as z from 'zod';

import { anything, commonErrors, reportNotReady } from '../answers.ts';
import { booleanText, meetingId, templateName, timeZone } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { shownValues } from '../parse-schema.ts';

/** The registered media type of each format; what the service sends is not shown. */
const exportMediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown',
} as const;

/** A meeting as a file. Not named `exports`: that word is taken in a CommonJS bundle. */
export const fileExports = {
  download: {
    id: 'exports.download',
    method: 'GET',
    path: '/api/storage/download',
    summary: 'Download a meeting as PDF, DOCX or Markdown',
    description: 'The body is the file itself.',
    section: 'Export',
    params: {
      query: z.strictObject({
        meeting_id: meetingId,
        format: z
          .enum(['pdf', 'docx', 'md'], { error: 'pdf, docx or md' })
          .meta({ description: 'The file format' })
          .register(shownValues, { shown: true }),
        include_report: booleanText().meta({ description: 'Whether the file holds the report' }).optional(),
        include_tasks: booleanText().meta({ description: 'Whether the file holds the tasks' }).optional(),
        template_name: templateName.optional(),
        timezone: timeZone.optional(),
      }),
    },
    response: 'binary',
    answers: [
      {
        status: 200,
        meaning: 'The file.',
        bodies: Object.values(exportMediaTypes).map((mediaType) => ({ mediaType, observed: true })),
      },
    ],
    errors: commonErrors,
    assumedErrors: [reportNotReady],
    output: anything,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
