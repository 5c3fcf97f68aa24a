import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import {
  answerError,
  answerText,
  answerUnknownMeeting,
  unknownMeeting,
  type ServiceAnswer,
} from '../service-answer.ts';

export type ReportSearch =
  | { readonly ok: true; readonly meeting: Meeting }
  /** `message` is what the answer says. */
  | { readonly ok: false; readonly message: string; readonly answer: ServiceAnswer };

/** The meeting whose report is asked for, or the service's answer where there is no report: 404, or 202 until it is ready. */
export function findReport(world: SandboxWorld, meetingId: string): ReportSearch {
  const meeting = world.meetings.find(meetingId);
  if (meeting === undefined) return { ok: false, message: unknownMeeting, answer: answerUnknownMeeting() };
  if (meeting.status === 'failed') {
    const { failureReason: reason = 'for a reason that is not known.' } = meeting;
    const message = `Processing of this meeting failed, and it has no report: ${reason}`;
    return { ok: false, message, answer: answerError(404, 'REPORT_NOT_FOUND', message, 'meeting_id') };
  }
  if (meeting.status !== 'new' && meeting.status !== 'processed') {
    const message = `Meeting is in progress now, status: ${meeting.status}`;
    return { ok: false, message, answer: answerText(202, message) };
  }
  return { ok: true, meeting };
}

/** As `findReport`, for what needs a report: while there is none, it is refused with 409 (assumed). */
export function findFinishedReport(world: SandboxWorld, meetingId: string): ReportSearch {
  const search = findReport(world, meetingId);
  if (search.ok || search.answer.status !== 202) return search;
  const message = 'The report of this meeting is not ready: wait until its status is new or processed.';
  return { ok: false, message, answer: answerError(409, 'REPORT_NOT_READY', message, 'meeting_id') };
}

/** The first reading of a report turns `new` into `processed`. */
export function openReport(world: SandboxWorld, meeting: Meeting): Meeting {
  const opened: Meeting = { ...meeting, status: 'processed' };
  if (meeting.status !== 'processed') world.meetings.put(opened);
  world.observe({ kind: 'report_served', meetingId: meeting.id });
  return opened;
}
