import { limits, type OperationInput, type operations } from '@aftermeet/contract';

import type { AppState } from '../app-state.ts';
import { findMeetings } from '../meetings.ts';
import { answerJson, nameState, type ServiceAnswer } from '../service-answer.ts';

/** One page of the matching meetings, in the observed shape. `scope` changes nothing: its values are not known. */
export function searchMeetings(
  app: AppState,
  input: OperationInput<typeof operations.meetings.search>,
): ServiceAnswer {
  const { page = 0 } = input;
  const perPage = Math.min(input.perPage ?? limits.searchPageSize, limits.searchPageSize);
  const found = findMeetings(app.meetings, input);
  const followups = found.slice(page * perPage, (page + 1) * perPage).map((meeting) => ({
    id: meeting.id,
    name: meeting.title,
    date: meeting.localDateTime,
    source: meeting.source,
    status: nameState(meeting.status, app.options.get()),
    tags: app.tags.listOf(meeting),
  }));
  return answerJson(200, { total: found.length, followups });
}
