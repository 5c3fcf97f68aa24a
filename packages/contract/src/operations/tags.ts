import * as z from 'zod';

import { createdTagShape, tagLinkShape, tagPageShape } from '../answer-shapes.ts';
import {
  anything,
  commonErrors,
  jsonBody,
  optionalId,
  optionalList,
  optionalText,
  succeed,
} from '../answers.ts';
import { integerText, meetingId, text } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { tagColors } from '../vocabulary.ts';

const section = 'Search and tags';

const tagLink = z.strictObject({
  meeting_id: meetingId,
  tag_id: text('a tag id that is not empty').meta({ description: 'The tag' }),
});

const tag = z.looseObject({ id: optionalId, name: optionalText, color: optionalText });

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
      query: z.strictObject({
        perPage: integerText(1)
          .meta({ description: 'Tags on a page; observed to be at most 100' })
          .optional(),
        cursor: text()
          .meta({ description: 'Where the page begins: nextCursor of the page before', observed: true })
          .optional(),
      }),
    },
    response: 'json',
    answers: [succeed('One page of the tags.', jsonBody(tagPageShape))],
    errors: commonErrors,
    output: z.looseObject({ tags: optionalList(tag), nextCursor: optionalId }).catch({}),
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
      body: z.strictObject({
        name: text().meta({ description: 'The name; observed to be at most 24 characters and unique' }),
        color: text()
          .meta({
            description: 'The colour; the allowed values are not shown',
            observedExamples: tagColors,
          })
          .optional(),
      }),
    },
    response: 'json',
    answers: [
      succeed('The tag is created.', jsonBody(createdTagShape)),
      { ...succeed('The tag is created.', jsonBody(createdTagShape)), status: 201, observed: true },
    ],
    errors: [400, 401, 403, 404, 409, 500],
    output: z.looseObject({ tag: tag.nullish().catch(undefined) }).catch({}),
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
    answers: [succeed('The tag is on the meeting.', jsonBody(tagLinkShape))],
    errors: commonErrors,
    output: anything,
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
    answers: [succeed('The tag is not on the meeting.', jsonBody(tagLinkShape))],
    errors: commonErrors,
    output: anything,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
