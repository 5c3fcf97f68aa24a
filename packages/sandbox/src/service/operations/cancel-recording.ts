import type { OperationInput, operations } from '@aftermeet/contract';

import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerText, answerUnknownMeeting, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.recordings.cancel>;

/** Takes back a recording that has not begun. */
export function cancelRecording(world: SandboxWorld, input: Input): ServiceAnswer {
  const meeting = world.meetings.find(input.meeting_id);
  if (meeting === undefined) return answerUnknownMeeting();
  if (meeting.status !== 'queued') {
    const message = `Only a scheduled recording can be cancelled; this meeting is ${meeting.status}.`;
    return answerError(400, 'NOT_SCHEDULED', message, 'meeting_id');
  }
  world.meetings.remove(meeting.id);
  return answerText(200, 'OK');
}
