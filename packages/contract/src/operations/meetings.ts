import { optional } from '../field.ts';
import { commonErrors, type Operation } from '../operation.ts';
import { date, listItems, text, wholeNumber } from '../rules.ts';
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
      query: {
        q: optional({ rule: text(), description: 'Text to find in titles' }),
        tagIds: optional({
          rule: listItems('a list of tag ids'),
          description: 'Meetings with any of these tags',
        }),
        sources: optional({
          rule: listItems('a list of platform identifiers'),
          description: 'Meetings of these platforms, such as gmeet and zoom',
          observedExamples: platforms.slice(2),
        }),
        dateFrom: optional({ rule: date, description: 'Meetings of this day or later' }),
        dateTo: optional({ rule: date, description: 'Meetings of this day or earlier', observed: true }),
        authors: optional({
          rule: listItems('a list of authors', false),
          description: 'Meetings of these authors',
          observed: true,
        }),
        scope: optional({ rule: text(), description: 'Where to search', observed: true }),
        page: optional({ rule: wholeNumber(0), description: 'The page, from 0', observed: true }),
        perPage: optional({
          rule: wholeNumber(1),
          description: 'Meetings on a page; observed to be at most 50',
          observed: true,
        }),
      },
    },
    response: 'json',
    errors: commonErrors,
    repeatable: true,
  },
} as const satisfies Record<string, Operation>;
