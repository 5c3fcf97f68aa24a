import type { OperationInput, operations } from '@aftermeet/contract';

import { keepMoved } from '../life/keep-moved.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerText, answerUnknownMeeting, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.recordings.stop>;

/** Ends a recording early: it is processed next, and a series comes again. Stopping one that is not running changes nothing. */
export function stopRecording(world: SandboxWorld, input: Input): ServiceAnswer {
  const meeting = world.meetings.find(input.meeting_id);
  if (meeting === undefined) return answerUnknownMeeting();
  if (meeting.status === 'recording') {
    keepMoved(world, { ...meeting, status: 'processing', statusSinceMs: world.clock.now() });
  }
  return answerText(200, 'OK');
}
