import type { OperationInput, operations } from '@aftermeet/contract';

import { makeFilename } from '../exports/make-filename.ts';
import { readMarkdown } from '../exports/read-markdown.ts';
import { renderDocx } from '../exports/render-docx.ts';
import { renderPdf } from '../exports/render-pdf.ts';
import { writeExport } from '../exports/write-export.ts';
import type { Meeting, MeetingTemplate } from '../meeting.ts';
import { findFinishedReport } from '../report/find-report.ts';
import { findMeetingTemplate } from '../report/list-report-blocks.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerFile, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.exports.download>;

const contentTypes: Readonly<Record<Input['format'], string>> = {
  md: 'text/markdown; charset=utf-8',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/**
 * The meeting as a file, or 409 until it is ready. Defaults, all assumed: report and tasks are in it,
 * by the report's first template, and times are UTC. The transcript is always in it.
 */
export async function downloadExport(world: SandboxWorld, input: Input): Promise<ServiceAnswer> {
  const search = findFinishedReport(world, input.meeting_id);
  if (!search.ok) return search.answer;
  const { meeting } = search;
  const template = chooseTemplate(meeting, input.template_name);
  if (template === undefined && input.template_name !== undefined) {
    const message = 'The report was not made from this template; generate it first.';
    return answerError(404, 'TEMPLATE_NOT_FOUND', message, 'template_name');
  }
  const markdown = writeExport(meeting, {
    includeReport: input.include_report ?? true,
    includeTasks: input.include_tasks ?? true,
    template,
    timeZone: input.timezone ?? 'UTC',
  });
  const bytes = await renderFile(input.format, meeting.title, markdown, world.clock.now());
  const filename = makeFilename(meeting.title, input.format);
  return answerFile({ bytes, contentType: contentTypes[input.format], filename });
}

/** By slug, id or name of the template, or by its id within the report. */
function chooseTemplate(meeting: Meeting, wanted: string | undefined): MeetingTemplate | undefined {
  if (wanted === undefined) return meeting.templates[0];
  return meeting.templates.find((template) =>
    [template.templateName, template.id, findMeetingTemplate(template).label].includes(wanted),
  );
}

async function renderFile(
  format: Input['format'],
  title: string,
  markdown: string,
  nowMs: number,
): Promise<Uint8Array> {
  switch (format) {
    case 'md':
      return Buffer.from(markdown);
    case 'docx':
      return renderDocx(title, readMarkdown(markdown));
    case 'pdf':
      return renderPdf(title, readMarkdown(markdown), nowMs);
    default:
      return format satisfies never;
  }
}
