import { optional, required } from '../field.ts';
import { meetingId, templateName } from '../fields.ts';
import { commonErrors, type Operation, reportNotReady } from '../operation.ts';
import { oneOf, timeZoneName, trueOrFalse } from '../rules.ts';

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
      query: {
        meetingId: required(meetingId),
        format: required({
          rule: oneOf(['pdf', 'docx', 'md'], 'pdf, docx or md'),
          description: 'The file format',
        }),
        includeReport: optional({
          wire: 'include_report',
          rule: trueOrFalse,
          description: 'Whether the file holds the report',
        }),
        includeTasks: optional({
          wire: 'include_tasks',
          rule: trueOrFalse,
          description: 'Whether the file holds the tasks',
        }),
        templateName: optional(templateName),
        timezone: optional({
          rule: timeZoneName,
          description: 'IANA time-zone name for the times in the file',
          examples: ['Europe/Berlin'],
        }),
      },
    },
    response: 'binary',
    errors: commonErrors,
    assumedErrors: [reportNotReady],
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
