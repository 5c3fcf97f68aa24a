import type { OperationInput, operations } from '@aftermeet/contract';

import { keepMoved } from '../life/keep-moved.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerText, answerUnknownMeeting, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.recordings.cancel>;

/**
 * Takes back a recording that has not begun. Of a series, all later occurrences: one that is under way goes on, and
 * the last report stays (assumed).
 */
export function cancelRecording(world: SandboxWorld, input: Input): ServiceAnswer {
  const meeting = world.meetings.find(input.meeting_id);
  if (meeting === undefined) return answerUnknownMeeting();
  if (meeting.status === 'queued') {
    world.meetings.remove(meeting.id);
    world.life.forget(meeting.id);
  } else if (meeting.cron !== undefined) keepMoved(world, { ...meeting, cron: undefined });
  else {
    const message = `Only a scheduled recording can be cancelled; this meeting is ${meeting.status}.`;
    return answerError(400, 'NOT_SCHEDULED', message, 'meeting_id');
  }
  return answerText(200, 'OK');
}
