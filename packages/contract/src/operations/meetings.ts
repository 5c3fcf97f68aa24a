import * as z from 'zod';

import { meetingPageShape } from '../answer-shapes.ts';
import {
  commonErrors,
  jsonBody,
  optionalCount,
  optionalId,
  optionalList,
  optionalText,
  succeed,
} from '../answers.ts';
import { csv, date, integerText, listItem, text } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { shownValues } from '../parse-schema.ts';
import { platforms } from '../vocabulary.ts';

/** Finding meetings. The answer's shape is not shown; its fields are observed. */
export const meetings = {
  search: {
    id: 'meetings.search',
    method: 'GET',
    path: '/api/workspaces/active/meetings/search',
    summary: 'Search the meetings of the workspace',
    description:
      'Every field is optional. Paging and the shape of the answer are observed; `page` counts from 0.',
    section: 'Search and tags',
    params: {
      query: z.strictObject({
        q: text().meta({ description: 'Text to find in titles' }).optional(),
        tagIds: csv(listItem, 'a list of tag ids')
          .meta({ description: 'Meetings with any of these tags' })
          .register(shownValues, { shown: true })
          .optional(),
        sources: csv(listItem, 'a list of platform identifiers')
          .meta({
            description: 'Meetings of these platforms, such as gmeet and zoom',
            observedExamples: platforms.slice(2),
          })
          .register(shownValues, { shown: true })
          .optional(),
        dateFrom: date.meta({ description: 'Meetings of this day or later' }).optional(),
        dateTo: date.meta({ description: 'Meetings of this day or earlier', observed: true }).optional(),
        authors: csv(listItem, 'a list of authors')
          .meta({ description: 'Meetings of these authors', observed: true })
          .optional(),
        scope: text().meta({ description: 'Where to search', observed: true }).optional(),
        page: integerText(0).meta({ description: 'The page, from 0', observed: true }).optional(),
        perPage: integerText(1)
          .meta({ description: 'Meetings on a page; observed to be at most 50', observed: true })
          .optional(),
      }),
    },
    response: 'json',
    answers: [succeed('One page of the meetings that were found.', jsonBody(meetingPageShape))],
    errors: commonErrors,
    output: z
      .looseObject({
        total: optionalCount,
        followups: optionalList(z.looseObject({ id: optionalId, name: optionalText })),
      })
      .catch({}),
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
