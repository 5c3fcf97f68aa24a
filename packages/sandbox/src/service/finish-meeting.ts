import { describeEvent, type MeetingOutcome } from './describe-event.ts';
import type { Meeting } from './meeting.ts';
import type { SandboxWorld } from './sandbox-world.ts';

export interface Completion {
  /** Default false. */
  readonly isTranscriptEmpty?: boolean | undefined;
}

export interface Failure {
  /** Free text. */
  readonly reason?: string | undefined;
}

/** The meeting's new status and, when it has a receiver, the delivery that is now under way. */
export interface Finish {
  readonly meetingId: string;
  readonly status: Meeting['status'];
  readonly deliveryId?: string;
}

const defaultReason = 'The bot was not admitted to the meeting.';

/** Ends processing well, from any state: the report can be read and `meeting.completed` is sent. */
export function completeMeeting(
  world: SandboxWorld,
  meetingId: string,
  completion: Completion,
): Finish | undefined {
  const meeting = world.meetings.find(meetingId);
  if (meeting === undefined) return undefined;
  const done: Meeting = {
    ...meeting,
    status: 'new',
    isTranscriptEmpty: completion.isTranscriptEmpty ?? false,
  };
  world.meetings.put(done);
  world.observe({ kind: 'meeting_completed', meetingId });
  const reportUrl = `${world.baseUrl()}/api/video/report?meeting_id=${encodeURIComponent(meetingId)}`;
  return announce(world, done, { event: 'meeting.completed', reportUrl });
}

/** Ends processing badly, from any state: `meeting.failed` is sent. A later completion is possible. */
export function failMeeting(world: SandboxWorld, meetingId: string, failure: Failure): Finish | undefined {
  const meeting = world.meetings.find(meetingId);
  if (meeting === undefined) return undefined;
  const done: Meeting = { ...meeting, status: 'failed', isTranscriptEmpty: true };
  world.meetings.put(done);
  world.observe({ kind: 'meeting_failed', meetingId });
  return announce(world, done, { event: 'meeting.failed', reason: failure.reason ?? defaultReason });
}

function announce(world: SandboxWorld, meeting: Meeting, outcome: MeetingOutcome): Finish {
  const finish = { meetingId: meeting.id, status: meeting.status };
  if (meeting.webhookUrl === undefined) return finish;
  const deliveryId = world.makeId();
  world.sender.send({
    id: deliveryId,
    meetingId: meeting.id,
    event: outcome.event,
    url: meeting.webhookUrl,
    secret: meeting.webhookSecret,
    body: Buffer.from(JSON.stringify(describeEvent(meeting, outcome, world.clock()))),
  });
  return { ...finish, deliveryId };
}
