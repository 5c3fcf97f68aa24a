import {
  asFields,
  type FoundMeeting,
  type MeetingPhase,
  type ReadPage,
  readPhase,
  readSearchPage,
  readStatusWord,
  sendRequest,
  ServiceError,
} from '@aftermeet/client/pure';
import { limits, operations } from '@aftermeet/contract';
import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { connect, type ConnectOptions, type ServiceClient } from '../transport/connect.ts';
import type { ServiceContext } from '../transport/n8n-fetch.ts';
import { limitParameters, readInput, readLimit, readParameter, tagLocator, takeUpTo } from './fields.ts';
import { asItem, type NodeResource, type OperationDescription } from './node-operation.ts';
import { describeOutput, type OutputField, readOutput } from './output.ts';
import { platformChoices } from './platform-choices.ts';

const meetingFields: readonly OutputField<FoundMeeting>[] = [
  { name: 'meeting_id', read: ({ id }) => id },
  { name: 'title', read: ({ title }) => title },
  { name: 'started_at', read: ({ startedAt }) => startedAt },
  { name: 'source', read: ({ source }) => source },
  { name: 'tags', read: ({ tags }) => tags },
  // As Recording: Get Status names them.
  { name: 'phase', read: (meeting) => findState(meeting)?.phase },
  { name: 'status', read: (meeting) => findState(meeting)?.status },
];

const phaseChoices: { name: string; value: MeetingPhase }[] = [
  { name: 'Cancelled', value: 'cancelled' },
  { name: 'Failed', value: 'failed' },
  { name: 'Joining', value: 'joining' },
  { name: 'Processing', value: 'processing' },
  { name: 'Ready', value: 'ready' },
  { name: 'Recording', value: 'recording' },
  { name: 'Scheduled', value: 'scheduled' },
];

const searchDescription: OperationDescription = {
  value: 'search',
  name: 'Get Many',
  action: 'Get many meetings',
  description:
    'Find meetings by text in their titles, by day, tag, platform, author or status; what was said in them is not searched',
  sends: 'meetings.search',
  parameters: {
    q: 'filters.q',
    tagIds: 'filters.tagIds',
    sources: 'filters.sources',
    dateFrom: 'filters.dateFrom',
    dateTo: 'filters.dateTo',
    authors: 'filters.authors',
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
          description:
            'Meetings of this day or later, such as 2026-07-07, in the time zone of the workflow; for one day alone give it as To Date too',
        },
        {
          displayName: 'Platforms',
          name: 'sources',
          type: 'multiOptions',
          default: [],
          description:
            'Meetings of any of these platforms; an expression may give others, as a list or with commas in between',
          options: platformChoices,
        },
        {
          displayName: 'Status',
          name: 'phases',
          type: 'multiOptions',
          default: [],
          description:
            'Meetings that are this far. The service does not search for it: all pages are read until there are enough, and a meeting that it gives no status of is left out.',
          options: phaseChoices,
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
          description: 'Text that stands in the title; leave it empty to find by day alone',
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
    ...describeOutput(meetingFields, { hasRaw: true }),
  ],
};

export const meetingResource: NodeResource = {
  value: 'meeting',
  name: 'Meeting',
  usual: 'search',
  operations: [{ description: searchDescription, execute: executeSearch }],
};

async function executeSearch(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const limit = readLimit(context, itemIndex);
  const { isRaw, pick } = readOutput(context, itemIndex, meetingFields);
  const filters = readInput(context, itemIndex, searchDescription, operations.meetings.search);
  const phases = readPhases(context, itemIndex);
  const perPage = phases.size === 0 ? Math.min(limit, limits.searchPageSize) : limits.searchPageSize;
  const found = keepPhases(findMeetings(context, { ...filters, perPage }), phases);
  const meetings = await takeUpTo(found, limit);
  return meetings.map((meeting) => (isRaw ? asItem(meeting.raw) : pick(meeting)));
}

interface MeetingState {
  /** Our own word. */
  readonly phase: MeetingPhase;
  /** The service's. */
  readonly status: string;
}

/** Undefined where the service gives none. */
function findState({ id, raw }: FoundMeeting): MeetingState | undefined {
  const { status: word, state } = asFields(raw) ?? {};
  const status = readStatusWord({ status: word, state }, id);
  return status === 'unknown' ? undefined : { phase: readPhase(status), status };
}

/** Empty for all of them. Throws for a word that an expression gave and that is none. */
function readPhases(context: IExecuteFunctions, itemIndex: number): ReadonlySet<MeetingPhase> {
  const given: unknown = readParameter(context, itemIndex, 'filters.phases');
  const words = Array.isArray(given)
    ? given.map(String)
    : (typeof given === 'string' ? given : '').split(',');
  const wanted = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== '');
  const phases = wanted.map((word) => phaseChoices.find(({ value }) => value === word)?.value);
  if (!phases.includes(undefined)) return new Set(phases.filter((phase) => phase !== undefined));
  const known = phaseChoices.map(({ value }) => value).join(', ');
  throw new NodeOperationError(context.getNode(), 'Status has a word that is not known', {
    itemIndex,
    description: `Choose among ${known}.`,
  });
}

async function* keepPhases(
  meetings: AsyncIterable<FoundMeeting>,
  phases: ReadonlySet<MeetingPhase>,
): AsyncGenerator<FoundMeeting, void, undefined> {
  for await (const meeting of meetings) {
    const phase = findState(meeting)?.phase;
    if (phases.size === 0 || (phase !== undefined && phases.has(phase))) yield meeting;
  }
}

type SearchInput = NonNullable<Parameters<ServiceClient['meetings']['search']>[0]>;

/** Fifty thousand meetings: no workspace has that many, so a search that goes on has no end. */
const MAX_PAGES = 1000;

/**
 * The meetings of all pages; a page is asked for only when it is wanted. Each comes once, also where one that was made meanwhile
 * pushes another onto the next page; all of a series have one id (observed), so the start counts too. Throws `ServiceError`, also
 * for a search that does not end.
 */
export async function* findMeetings(
  context: ServiceContext,
  input: SearchInput,
): AsyncGenerator<FoundMeeting, void, undefined> {
  const { meetings } = await connect(context);
  const given = new Set<string>();
  for await (const { items, page } of meetings.search(input)) {
    for (const meeting of items) {
      const { id, startedAt, raw } = meeting;
      const key = JSON.stringify([id, startedAt ?? raw]);
      if (!given.has(key)) yield meeting;
      given.add(key);
    }
    if (page + 1 >= MAX_PAGES) throw refusePage(`the search did not end within ${MAX_PAGES} pages`);
  }
}

/** One page of a search; `page` counts from 0. Throws `ServiceError`, also for an answer without a list of meetings. */
export async function askSearchPage(
  context: ServiceContext,
  input: SearchInput & { readonly page: number },
  options?: ConnectOptions,
): Promise<ReadPage> {
  const { connection } = await connect(context, options);
  const { status, body } = await sendRequest(connection, operations.meetings.search, input);
  const page = readSearchPage(body, input.page);
  if (page !== undefined) return page;
  throw refusePage('the answer holds no list of meetings').with({ status });
}

function refusePage(detail: string): ServiceError {
  return new ServiceError({ code: 'unreadable', operation: operations.meetings.search, detail });
}
