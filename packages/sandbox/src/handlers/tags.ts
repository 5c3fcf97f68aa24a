import { tagColors, type OperationInput, type operations } from '@aftermeet/contract';

import type { AppState } from '../app-state.ts';
import {
  acknowledge,
  answerError,
  answerJson,
  answerUnknownMeeting,
  type ServiceAnswer,
} from '../service-answer.ts';
import type { Tag } from '../tags.ts';

const MAX_NAME_LENGTH = 24;
const PAGE_SIZE = 100;

/** One page of the tags, oldest first, at most 100. `nextCursor` is null on the last page. */
export function listTags(app: AppState, input: OperationInput<typeof operations.tags.list>): ServiceAnswer {
  const tags = app.tags.list();
  const begin = input.cursor === undefined ? 0 : tags.findIndex(({ id }) => id === input.cursor);
  if (begin === -1) {
    const message = 'cursor must be the nextCursor of an earlier page, unchanged.';
    return answerError(400, 'INVALID_REQUEST', message, 'cursor');
  }
  const end = begin + Math.min(input.perPage ?? PAGE_SIZE, PAGE_SIZE);
  return answerJson(200, { tags: tags.slice(begin, end), nextCursor: tags[end]?.id ?? null });
}

/**
 * Makes a tag by the observed rules: a short name, unique without case, and one of the known colours (default: the
 * first). That a blank name is refused is assumed.
 */
export function createTag(
  app: AppState,
  input: OperationInput<typeof operations.tags.create>,
): ServiceAnswer {
  const colors: readonly string[] = tagColors;
  const { name, color = colors[0] ?? 'blue' } = input;
  if (name.trim() === '') return answerError(400, 'INVALID_REQUEST', 'name must not be blank.', 'name');
  if (Array.from(name).length > MAX_NAME_LENGTH) {
    const message = `name must have at most ${String(MAX_NAME_LENGTH)} characters.`;
    return answerError(400, 'INVALID_REQUEST', message, 'name');
  }
  if (!colors.includes(color)) {
    return answerError(400, 'INVALID_REQUEST', `color must be one of ${colors.join(', ')}.`, 'color');
  }
  if (app.tags.findByName(name) !== undefined) {
    return answerError(409, 'TAG_NAME_EXISTS', 'A tag of the workspace has this name already.', 'name');
  }
  const tag: Tag = { id: app.makeId(), name, color };
  app.tags.put(tag);
  return answerJson(201, { tag, created: true });
}

type LinkInput = OperationInput<typeof operations.tags.attach>;

/** Puts a tag on a meeting; a second time changes nothing. */
export function attachTag(app: AppState, input: LinkInput): ServiceAnswer {
  return assignTag(app, input, true);
}

/** Takes a tag off a meeting; a second time changes nothing. */
export function detachTag(app: AppState, input: LinkInput): ServiceAnswer {
  return assignTag(app, input, false);
}

function assignTag(app: AppState, input: LinkInput, assigned: boolean): ServiceAnswer {
  const { meetingId, tagId } = input;
  const meeting = app.meetings.find(meetingId);
  if (meeting === undefined) return answerUnknownMeeting();
  if (app.tags.find(tagId) === undefined) {
    return answerError(404, 'TAG_NOT_FOUND', 'No tag has this tag_id.', 'tag_id');
  }
  if (meeting.tagIds.includes(tagId) !== assigned) {
    const others = meeting.tagIds.filter((other) => other !== tagId);
    app.meetings.put({ ...meeting, tagIds: assigned ? [...others, tagId] : others });
  }
  return acknowledge(app.options.get(), answerJson(200, { meetingId, tagId, assigned }));
}
