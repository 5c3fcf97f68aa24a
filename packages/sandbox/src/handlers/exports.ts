import type { OperationInput, operations } from '@aftermeet/contract';

import type { AppState } from '../app-state.ts';
import { findMeetingTemplate } from '../describe-report.ts';
import { renderDocx } from '../exports/docx.ts';
import { listLines, writeExport } from '../exports/markdown.ts';
import { renderPdf } from '../exports/pdf.ts';
import type { Meeting, MeetingTemplate } from '../meetings.ts';
import { answerError, type ServiceAnswer } from '../service-answer.ts';
import { findFinishedReport } from './reports.ts';

type Input = OperationInput<typeof operations.exports.download>;

const contentTypes: Readonly<Record<Input['format'], string>> = {
  md: 'text/markdown; charset=utf-8',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/**
 * The meeting as a file, or 409 until it is ready. Defaults, all assumed: report and tasks are included, by the first
 * template of the report, and times are UTC. The transcript is always included.
 */
export function downloadExport(app: AppState, input: Input): ServiceAnswer {
  const found = findFinishedReport(app, input.meetingId);
  if (!found.ok) return found.answer;
  const { meeting } = found;
  const template = chooseTemplate(meeting, input.templateName);
  if (template === undefined && input.templateName !== undefined) {
    const message = 'The report was not made from this template; generate it first.';
    return answerError(404, 'TEMPLATE_NOT_FOUND', message, 'template_name');
  }
  const markdown = writeExport(meeting, {
    includeReport: input.includeReport ?? true,
    includeTasks: input.includeTasks ?? true,
    template,
    timeZone: input.timezone ?? 'UTC',
  });
  const bytes = renderFile(input.format, markdown);
  const filename = makeFilename(meeting.title, input.format);
  return { status: 200, file: { bytes, contentType: contentTypes[input.format], filename } };
}

/** By slug, id or name of the template, or by its id within the report. */
function chooseTemplate(meeting: Meeting, wanted: string | undefined): MeetingTemplate | undefined {
  if (wanted === undefined) return meeting.templates[0];
  return meeting.templates.find((template) =>
    [template.templateName, template.id, findMeetingTemplate(template).label].includes(wanted),
  );
}

function renderFile(format: Input['format'], markdown: string): Uint8Array {
  switch (format) {
    case 'md':
      return Buffer.from(markdown);
    case 'docx':
      return renderDocx(listLines(markdown));
    case 'pdf':
      return renderPdf(listLines(markdown));
    default:
      return format satisfies never;
  }
}

const MAX_NAME_LENGTH = 100;

/** A file name without folders and without characters that a file system or a shell treats specially; never hidden. */
export function makeFilename(title: string, extension: string): string {
  const safe = title
    .replaceAll(/[\p{Cc}\p{Cf}\p{Surrogate}<>:"/\\|?*%$`'!;&]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut = Array.from(safe)
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .replace(/^[.\s-]+|[.\s]+$/g, '');
  return `${cut || 'meeting'}.${extension}`;
}
