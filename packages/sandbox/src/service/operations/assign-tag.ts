import type { OperationInput, operations } from '@aftermeet/contract';

import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, answerJson, answerUnknownMeeting, type ServiceAnswer } from '../service-answer.ts';

type Input = OperationInput<typeof operations.tags.attach>;

/** Puts a tag on a meeting; doing it twice changes nothing. */
export function attachTag(world: SandboxWorld, input: Input): ServiceAnswer {
  return assignTag(world, input, true);
}

/** Takes a tag off a meeting; a tag that is not on it changes nothing. */
export function detachTag(world: SandboxWorld, input: Input): ServiceAnswer {
  return assignTag(world, input, false);
}

function assignTag(world: SandboxWorld, input: Input, assigned: boolean): ServiceAnswer {
  const { meeting_id: meetingId, tag_id: tagId } = input;
  const meeting = world.meetings.find(meetingId);
  if (meeting === undefined) return answerUnknownMeeting();
  if (world.tags.find(tagId) === undefined) {
    return answerError(404, 'TAG_NOT_FOUND', 'No tag has this tag_id.', 'tag_id');
  }
  if (meeting.tagIds.includes(tagId) !== assigned) {
    const others = meeting.tagIds.filter((other) => other !== tagId);
    world.meetings.put({ ...meeting, tagIds: assigned ? [...others, tagId] : others });
  }
  return answerJson(200, { meetingId, tagId, assigned });
}
