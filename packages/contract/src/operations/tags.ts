import { z } from 'zod';

import { meetingId, text } from '../fields.ts';
import { limits } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { anything, optionalId, optionalList, optionalText } from '../responses.ts';
import { integerText } from '../wire-codecs.ts';

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
    section,
    params: {
      query: z.strictObject({
        perPage: integerText(1, limits.tagPageSize).meta({ description: 'Tags on a page' }).optional(),
        cursor: text()
          .meta({ description: 'Where the page begins: nextCursor of the page before', observed: true })
          .optional(),
      }),
    },
    response: 'json',
    output: z.looseObject({ tags: optionalList(tag), nextCursor: optionalId }).catch({}),
    repeatable: true,
  },
  create: {
    id: 'tags.create',
    method: 'POST',
    path: '/api/workspaces/active/tags',
    summary: 'Create a tag',
    section,
    params: {
      body: z.strictObject({
        name: text().meta({ description: 'The name; observed to be at most 24 characters and unique' }),
        color: text()
          .meta({
            description: 'The colour; the allowed values are not shown',
            examples: ['blue', 'purple', 'orange', 'yellow', 'teal', 'green', 'red', 'grey'],
          })
          .optional(),
      }),
    },
    response: 'json',
    output: z.looseObject({ tag: tag.nullish().catch(undefined) }).catch({}),
    repeatable: false,
  },
  attach: {
    id: 'tags.attach',
    method: 'PUT',
    path: '/api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
    summary: 'Put a tag on a meeting',
    section,
    params: { path: tagLink },
    response: 'mixed',
    output: anything,
    repeatable: true,
  },
  detach: {
    id: 'tags.detach',
    method: 'DELETE',
    path: '/api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
    summary: 'Take a tag off a meeting',
    section,
    params: { path: tagLink },
    response: 'mixed',
    output: anything,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
