import type { FoundMeeting } from '@aftermeet/client/pure';
import { limits, platforms } from '@aftermeet/contract/pure';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asItem } from '../as-item.ts';
import { limitParameters, readLimit, takeUpTo } from '../limit-parameters.ts';
import { tagLocator } from '../locators.ts';
import type { OperationDescription } from '../node-operation.ts';
import { readFields } from '../read-fields.ts';
import { findMeetings } from './find-meetings.ts';

export const description: OperationDescription = {
  value: 'search',
  name: 'Get Many',
  action: 'Get many meetings',
  description: 'Search the meetings of the workspace',
  sends: 'meetings.search',
  parameters: {
    q: 'filters.q',
    tagIds: 'filters.tagIds',
    sources: 'filters.sources',
    dateFrom: 'filters.dateFrom',
    dateTo: 'filters.dateTo',
    authors: 'filters.authors',
    scope: 'filters.scope',
  },
  filled: { page: 'each page in turn, from 0', perPage: 'the limit, at most what a page was seen to hold' },
  properties: [
    ...limitParameters,
    {
      displayName: 'Filters',
      name: 'filters',
      type: 'collection',
      placeholder: 'Add filter',
      default: {},
      options: [
        {
          displayName: 'Authors',
          name: 'authors',
          type: 'string',
          default: '',
          placeholder: 'e.g. u_1,u_2',
          description: 'Meetings of any of these authors, with commas in between',
        },
        {
          displayName: 'From Date',
          name: 'dateFrom',
          type: 'dateTime',
          default: '',
          description: 'Meetings of this day or later; the day is taken in the time zone of the workflow',
        },
        {
          displayName: 'Platforms',
          name: 'sources',
          type: 'multiOptions',
          default: [],
          description:
            'Meetings of any of these platforms; an expression may give others, as a list or with commas in between',
          options: platforms.toSorted().map((platform) => ({ name: platform, value: platform })),
        },
        {
          displayName: 'Scope',
          name: 'scope',
          type: 'string',
          default: '',
          description: 'Where to search; the values are those of the service, which does not list them',
        },
        {
          ...tagLocator,
          name: 'tagIds',
          required: false,
          description:
            'Meetings with this tag; by ID there may be several with commas in between, of which any will do',
        },
        {
          displayName: 'Text',
          name: 'q',
          type: 'string',
          default: '',
          placeholder: 'e.g. weekly sync',
          description: 'Text to find in titles',
        },
        {
          displayName: 'To Date',
          name: 'dateTo',
          type: 'dateTime',
          default: '',
          description: 'Meetings of this day or earlier; the day is taken in the time zone of the workflow',
        },
      ],
    },
    {
      displayName: 'Simplify',
      name: 'simplify',
      type: 'boolean',
      default: true,
      description: 'Whether to return a simplified version of the response instead of the raw data',
    },
  ],
};

export async function execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const limit = readLimit(context, itemIndex);
  const isSimple = context.getNodeParameter('simplify', itemIndex, true) === true;
  const filters = readFields(context, itemIndex, description);
  const perPage = Math.min(limit, limits.searchPageSize);
  const meetings = await takeUpTo(findMeetings(context, filters, perPage), limit);
  return meetings.map((meeting) => asItem(isSimple ? simplify(meeting) : meeting.raw));
}

/** As the simplified report names it; what is not known is null, so that all items have the same fields. */
function simplify({ id, title, startedAt, source, tags }: FoundMeeting): object {
  return { meeting_id: id, title, startedAt: startedAt ?? null, source: source ?? null, tags };
}
