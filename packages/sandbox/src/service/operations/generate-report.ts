import type { OperationInput, operations } from '@aftermeet/contract';

import { findReportTemplate } from '../../content/report-templates.ts';
import type { Meeting, MeetingTemplate } from '../meeting.ts';
import { describeFollowup } from '../report/describe-report.ts';
import { findFinishedReport } from '../report/find-report.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.reports.generate>;

/**
 * Adds a template to the report, at once: the meeting stays ready. A template that the report has already is made
 * anew, under a new id and without what was rewritten (assumed).
 */
export function generateReport(world: SandboxWorld, input: Input): ServiceAnswer {
  const { template_name: templateName } = input;
  const search = findFinishedReport(world, input.meeting_id);
  if (!search.ok) return search.answer;
  const { meeting } = search;
  if (findReportTemplate(templateName) === undefined) {
    const message = 'template_name must be the slug of a built-in template or the id of a custom template.';
    return answerError(404, 'TEMPLATE_NOT_FOUND', message, 'template_name');
  }
  if (meeting.isTranscriptEmpty) {
    const message = 'Nobody spoke in this meeting: there is nothing to make a report from.';
    return answerError(409, 'TRANSCRIPT_EMPTY', message, 'meeting_id');
  }
  const made: MeetingTemplate = { id: world.makeId(), templateName, edits: [] };
  const changed: Meeting = { ...meeting, templates: replaceTemplate(meeting.templates, made) };
  world.meetings.put(changed);
  return answerJson(200, { followup: describeFollowup(changed), created_template_id: made.id });
}

function replaceTemplate(
  templates: readonly MeetingTemplate[],
  made: MeetingTemplate,
): readonly MeetingTemplate[] {
  const isKnown = templates.some(({ templateName }) => templateName === made.templateName);
  return isKnown
    ? templates.map((template) => (template.templateName === made.templateName ? made : template))
    : [...templates, made];
}
