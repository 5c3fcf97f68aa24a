import type { OperationInput, operations } from '@aftermeet/contract';

import type { AppState } from '../app-state.ts';
import { timeScript } from '../content/time-script.ts';
import { describeFollowup, listBlocks } from '../describe-report.ts';
import { saveAndSchedule } from '../meeting-changes.ts';
import { findContent, type Meeting, type MeetingTemplate } from '../meetings.ts';
import {
  acknowledge,
  answerError,
  answerJson,
  answerText,
  answerUnknownMeeting,
  nameState,
  unknownMeetingMessage,
  type ServiceAnswer,
} from '../service-answer.ts';
import { refuseTemplate } from './templates.ts';

/** The report, or 202 until there is one. The first read turns `new` into `processed`. */
export function getReport(
  app: AppState,
  input: OperationInput<typeof operations.reports.get>,
): ServiceAnswer {
  app.lifecycle.poll(input.meetingId);
  const found = findReport(app, input.meetingId);
  if (!found.ok) return found.answer;
  const opened = openReport(app, found.meeting);
  const followup = describeFollowup(opened, app.options.get());
  return answerJson(200, {
    followup_v2: followup,
    feedback: null,
    media_type: 'video',
    tags: app.tags.listOf(opened),
  });
}

export type FoundReport =
  | { readonly ok: true; readonly meeting: Meeting }
  /** `message` is what the answer says. */
  | { readonly ok: false; readonly message: string; readonly answer: ServiceAnswer };

/** The meeting of a report, or the answer where there is no report: 404, or 202 until it is ready. */
export function findReport(app: AppState, meetingId: string): FoundReport {
  const meeting = app.meetings.find(meetingId);
  if (meeting === undefined) {
    return { ok: false, message: unknownMeetingMessage, answer: answerUnknownMeeting() };
  }
  if (meeting.status === 'failed') {
    const { failureReason: reason = 'for a reason that is not known.' } = meeting;
    const message = `Processing of this meeting failed, and it has no report: ${reason}`;
    return { ok: false, message, answer: answerError(404, 'REPORT_NOT_FOUND', message, 'meeting_id') };
  }
  if (meeting.status !== 'new' && meeting.status !== 'processed') {
    const options = app.options.get();
    const status = nameState(meeting.status, options);
    const message = `Meeting is in progress now, status: ${status}`;
    const isText = options.notReadyAnswer === 'text';
    return {
      ok: false,
      message,
      answer: isText ? answerText(202, message) : answerJson(202, { status, message }),
    };
  }
  return { ok: true, meeting };
}

/** For what needs a report: until there is one, it is refused with 409 (assumed). */
export function findFinishedReport(app: AppState, meetingId: string): FoundReport {
  const found = findReport(app, meetingId);
  if (found.ok || found.answer.status !== 202) return found;
  const message = 'The report of this meeting is not ready: wait until its status is new or processed.';
  return { ok: false, message, answer: answerError(409, 'REPORT_NOT_READY', message, 'meeting_id') };
}

/** The first read of a report turns `new` into `processed`. */
export function openReport(app: AppState, meeting: Meeting): Meeting {
  const opened: Meeting = { ...meeting, status: 'processed' };
  if (meeting.status !== 'processed') app.meetings.put(opened);
  app.observe({ kind: 'report_served', meetingId: meeting.id });
  return opened;
}

/**
 * Adds a template to the report. The meeting stays ready, unless the option `generateTakesTime` sends it back to
 * processing (as observed; its event is sent again when it is ready). A template that the report has already is
 * replaced, under a new id and without its edits (assumed).
 */
export function generateReport(
  app: AppState,
  input: OperationInput<typeof operations.reports.generate>,
): ServiceAnswer {
  const { templateName } = input;
  const found = findFinishedReport(app, input.meetingId);
  if (!found.ok) return found.answer;
  const { meeting } = found;
  const refusal = refuseTemplate(templateName);
  if (refusal !== undefined) return refusal;
  if (meeting.isTranscriptEmpty) {
    const message = 'The transcript of this meeting is empty: there is nothing to make a report from.';
    return answerError(409, 'TRANSCRIPT_EMPTY', message, 'meeting_id');
  }
  const made: MeetingTemplate = { id: app.makeId(), templateName, edits: [] };
  const isKnown = meeting.templates.some((template) => template.templateName === templateName);
  const templates = isKnown
    ? meeting.templates.map((template) => (template.templateName === templateName ? made : template))
    : [...meeting.templates, made];
  const options = app.options.get();
  const changed: Meeting = options.generateTakesTime
    ? { ...meeting, templates, status: 'processing', statusSinceMs: app.clock.now() }
    : { ...meeting, templates };
  saveAndSchedule(app, changed);
  return answerJson(200, { followup: describeFollowup(changed, options), created_template_id: made.id });
}

/** Replaces the text of one block; the next read of the report has it. */
export function editBlock(
  app: AppState,
  input: OperationInput<typeof operations.reports.editBlock>,
): ServiceAnswer {
  const { templateId, entityName, newSummaryText } = input;
  const found = findFinishedReport(app, input.meetingId);
  if (!found.ok) return found.answer;
  const { meeting } = found;
  const template = meeting.templates.find(({ id }) => id === templateId);
  if (template === undefined || meeting.isTranscriptEmpty) {
    return answerError(404, 'TEMPLATE_NOT_FOUND', 'The report has no template with this id.', 'templateId');
  }
  const names = listBlocks(meeting, template, timeScript(findContent(meeting))).map(({ name }) => name);
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
  app.meetings.put({ ...meeting, templates });
  return acknowledge(app.options.get(), answerText(200, 'OK'));
}
