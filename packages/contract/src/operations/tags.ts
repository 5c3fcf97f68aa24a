import { optional, required } from '../field.ts';
import { meetingId } from '../fields.ts';
import { commonErrors, type Operation } from '../operation.ts';
import { text, wholeNumber } from '../rules.ts';
import { tagColors } from '../vocabulary.ts';

const section = 'Search and tags';

const tagLink = {
  meetingId: required(meetingId),
  tagId: required({ wire: 'tag_id', rule: text('a tag id that is not empty'), description: 'The tag' }),
} as const;

/** The tag catalog, and tags on meetings. The answers' shapes are not shown; their fields are observed. */
export const tags = {
  list: {
    id: 'tags.list',
    method: 'GET',
    path: '/api/workspaces/active/tags',
    summary: 'List the tags of the workspace',
    description: 'A page is observed to say in `nextCursor` where the next one begins.',
    section,
    params: {
      query: {
        perPage: optional({
          rule: wholeNumber(1),
          description: 'Tags on a page; observed to be at most 100',
        }),
        cursor: optional({
          rule: text(),
          description: 'Where the page begins: nextCursor of the page before',
          observed: true,
        }),
      },
    },
    response: 'json',
    errors: commonErrors,
    repeatable: true,
  },
  create: {
    id: 'tags.create',
    method: 'POST',
    path: '/api/workspaces/active/tags',
    summary: 'Create a tag',
    description:
      'Two names that differ in case only are observed to be the same name: 409 with `TAG_NAME_EXISTS`.',
    section,
    params: {
      body: {
        name: required({
          rule: text(),
          description: 'The name; observed to be at most 24 characters and unique',
        }),
        color: optional({
          rule: text(),
          description: 'The colour; the allowed values are not shown',
          observedExamples: tagColors,
        }),
      },
    },
    response: 'json',
    errors: [400, 401, 403, 404, 409, 500],
    repeatable: false,
  },
  attach: {
    id: 'tags.attach',
    method: 'PUT',
    path: '/api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
    summary: 'Put a tag on a meeting',
    description: 'A tag that is on the meeting already is observed to be no error.',
    section,
    params: { path: tagLink },
    response: 'mixed',
    errors: commonErrors,
    repeatable: true,
  },
  detach: {
    id: 'tags.detach',
    method: 'DELETE',
    path: '/api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
    summary: 'Take a tag off a meeting',
    description: 'A tag that is not on the meeting is observed to be no error.',
    section,
    params: { path: tagLink },
    response: 'mixed',
    errors: commonErrors,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
