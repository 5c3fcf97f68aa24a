import type { OperationInput, operations } from '@aftermeet/contract';

import { findMeetings } from '../find-meetings.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { answerJson, type ServiceAnswer } from '../service-answer.ts';
import { listMeetingTags } from '../tags/list-meeting-tags.ts';

type Input = OperationInput<typeof operations.meetings.search>;

/** One page of the meetings that match, never more than the knob `searchPageSize` says, in the observed shape. `scope` is taken and changes nothing: its values are not known. */
export function searchMeetings(world: SandboxWorld, input: Input): ServiceAnswer {
  const { page = 0 } = input;
  const { searchPageSize } = world.knobs.read();
  const perPage = Math.min(input.perPage ?? searchPageSize, searchPageSize);
  const found = findMeetings(world, input);
  const followups = found.slice(page * perPage, (page + 1) * perPage).map((meeting) => ({
    id: meeting.id,
    name: meeting.title,
    date: meeting.localDateTime,
    source: meeting.source,
    status: meeting.status,
    tags: listMeetingTags(world, meeting),
  }));
  return answerJson(200, { total: found.length, followups });
}
