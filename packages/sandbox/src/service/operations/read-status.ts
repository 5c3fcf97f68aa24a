import type { OperationInput, operations } from '@aftermeet/contract';

import type { SandboxWorld } from '../sandbox-world.ts';
import { answerText, answerUnknownMeeting, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.recordings.status>;

/** The meeting's status as plain text, as observed. */
export function readStatus(world: SandboxWorld, input: Input): ServiceAnswer {
  world.life.poll(input.meeting_id);
  const meeting = world.meetings.find(input.meeting_id);
  return meeting === undefined ? answerUnknownMeeting() : answerText(200, meeting.status);
}
