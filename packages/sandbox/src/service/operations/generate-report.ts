import type { OperationInput, operations } from '@aftermeet/contract';

import { keepMoved } from '../life/keep-moved.ts';
import type { Meeting, MeetingTemplate } from '../meeting.ts';
import { describeFollowup } from '../report/describe-report.ts';
import { findFinishedReport } from '../report/find-report.ts';
import { refuseTemplate } from '../report/refuse-template.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.reports.generate>;

/**
 * Adds a template to the report, at once: the meeting stays ready, unless the knob `generateTakesTime` lets it be
 * processed again (as observed, and told of again when it is ready). A template that the report has already is made
 * anew, under a new id and without what was rewritten (assumed).
 */
export function generateReport(world: SandboxWorld, input: Input): ServiceAnswer {
  const { template_name: templateName } = input;
  const search = findFinishedReport(world, input.meeting_id);
  if (!search.ok) return search.answer;
  const { meeting } = search;
  const refusal = refuseTemplate(world, templateName);
  if (refusal !== undefined) return refusal;
  if (meeting.isTranscriptEmpty) {
    const message = 'Nobody spoke in this meeting: there is nothing to make a report from.';
    return answerError(409, 'TRANSCRIPT_EMPTY', message, 'meeting_id');
  }
  const made: MeetingTemplate = { id: world.makeId(), templateName, edits: [] };
  const kept: Meeting = { ...meeting, templates: replaceTemplate(meeting.templates, made) };
  const takesTime = world.knobs.read().generateTakesTime;
  const changed: Meeting = takesTime
    ? { ...kept, status: 'processing', statusSinceMs: world.clock.now() }
    : kept;
  keepMoved(world, changed);
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
