import type { OperationInput, operations } from '@aftermeet/contract';

import type { MeetingTemplate } from '../meeting.ts';
import { findFinishedReport } from '../report/find-report.ts';
import { findMeetingTemplate } from '../report/list-report-blocks.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerText, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.reports.editBlock>;

/** Replaces the text of one block; the next reading of the report has it. */
export function editBlock(world: SandboxWorld, input: Input): ServiceAnswer {
  const { templateId, entityName, newSummaryText } = input;
  const search = findFinishedReport(world, input.meeting_id);
  if (!search.ok) return search.answer;
  const { meeting } = search;
  const template = meeting.templates.find(({ id }) => id === templateId);
  if (template === undefined || meeting.isTranscriptEmpty) {
    return answerError(404, 'TEMPLATE_NOT_FOUND', 'The report has no template with this id.', 'templateId');
  }
  const names: readonly string[] = findMeetingTemplate(template).blocks;
  if (!names.includes(entityName)) {
    const message = `This template has no such block; it has ${names.join(', ')}.`;
    return answerError(404, 'ENTITY_NOT_FOUND', message, 'entityName');
  }
  const edits = [
    ...template.edits.filter((edit) => edit.entityName !== entityName),
    { entityName, text: newSummaryText },
  ];
  const edited: MeetingTemplate = { ...template, edits };
  const templates = meeting.templates.map((other) => (other.id === templateId ? edited : other));
  world.meetings.put({ ...meeting, templates });
  return answerText(200, 'OK');
}
