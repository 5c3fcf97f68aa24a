import { asFields, asText, type FoundMeeting, type ReadPage, type Report } from '@aftermeet/client/pure';
import { limits, templateSlugs } from '@aftermeet/contract';
import {
  type ILoadOptionsFunctions,
  type INodeListSearchItems,
  type INodeListSearchResult,
  NodeOperationError,
} from 'n8n-workflow';

import { askReport } from '../actions/ask-report.ts';
import { takeUpTo } from '../actions/fields.ts';
import { askSearchPage } from '../actions/meeting.ts';
import { findTags } from '../actions/tag.ts';
import { connect, type ConnectOptions } from '../transport/connect.ts';
import { explainFailure } from '../transport/errors.ts';
import { connectMcp } from '../transport/mcp.ts';
import { credentialName, type ServiceContext } from '../transport/n8n-fetch.ts';

/** One list of a resource locator: what fits the filter, a page at a time. */
export type ListSearch = (
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
) => Promise<INodeListSearchResult>;

type Search = (
  context: ILoadOptionsFunctions,
  filter: string,
  token: string | undefined,
) => Promise<INodeListSearchResult>;

const start: PagePlace = { page: 0, seen: 0, firstId: '' };

/** The user is waiting for the list: one retry, not three. */
const listOptions: ConnectOptions = { retries: 1 };

/** A user does not scroll further, and every page is a request. */
const MAX_TAGS = 1000;

/** The lists of the resource locators (locators.ts). */
export const listSearch = {
  searchMeetings: makeListSearch(searchMeetings),
  searchReportBlocks: makeListSearch(searchReportBlocks),
  searchReportTemplates: makeListSearch(searchReportTemplates),
  searchTags: makeListSearch(searchTags),
  searchTemplates: makeListSearch(searchTemplates),
  searchTools: makeListSearch(searchTools),
} as const satisfies Record<string, ListSearch>;

/** With errors that say what to do, as those of an execution. */
function makeListSearch(search: Search): ListSearch {
  return async function listFound(filter, paginationToken) {
    const node = this.getNode();
    if (node.credentials?.[credentialName] === undefined) {
      throw new NodeOperationError(node, 'Choose a credential first', {
        description: 'The list comes from the service, which wants to know the workspace.',
      });
    }
    try {
      return await search(this, filter?.trim() ?? '', paginationToken);
    } catch (error) {
      throw explainFailure(node, error);
    }
  };
}

/** Meetings whose title holds the filter, a page at a time. The pages end as in walk-search.ts of the client. */
async function searchMeetings(
  context: ServiceContext,
  filter: string,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  const place = readPageToken(token);
  const fields = {
    page: place.page,
    perPage: limits.searchPageSize,
    ...(filter === '' ? {} : { q: filter }),
  };
  const answer = await askSearchPage(context, fields, listOptions);
  const { items: meetings } = answer.found;
  const firstId = meetings[0]?.id ?? '';
  if (place.page > 0 && firstId !== '' && firstId === place.firstId) return { results: [] };
  const results = meetings.map(nameMeeting);
  if (isLast(answer, place)) return { results };
  const next = { page: place.page + 1, seen: place.seen + answer.listed, firstId };
  return { results, paginationToken: writePageToken(next) };
}

function isLast({ listed, found: { total } }: ReadPage, { page, seen }: PagePlace): boolean {
  if (listed === 0) return true;
  // All pages before were as large as the first.
  return total === undefined ? page > 0 && listed < seen / page : seen + listed >= total;
}

/** `Weekly sync (2026-07-07)`: titles repeat, days within them rarely do. */
function nameMeeting({ id, title, startedAt }: FoundMeeting): INodeListSearchItems {
  return { name: startedAt === undefined ? title : `${title} (${startedAt.slice(0, 10)})`, value: id };
}

/** The service has no search for tags: all are read, as far as `MAX_TAGS`, and filtered here. */
async function searchTags(context: ServiceContext, filter: string): Promise<INodeListSearchResult> {
  const tags = await takeUpTo(findTags(context, listOptions), MAX_TAGS);
  const results = tags.map(({ id, name }) => ({ name: name === '' ? id : name, value: id }));
  return { results: keepMatching(results, filter) };
}

/** The built-in templates, then those of the workspace; filtered here. */
async function searchTemplates(context: ServiceContext, filter: string): Promise<INodeListSearchResult> {
  const { templates } = await connect(context, listOptions);
  const { items: custom } = await templates.list();
  const results = [
    ...templateSlugs.map(({ name, slug }) => ({ name, value: slug })),
    // A workspace may have a "Daily" of its own.
    ...custom.map(({ id, name }) => ({ name: `${name} (custom)`, value: id })),
  ];
  return { results: keepMatching(results, filter) };
}

/** The templates within the report of the chosen meeting; filtered here. */
async function searchReportTemplates(
  context: ILoadOptionsFunctions,
  filter: string,
): Promise<INodeListSearchResult> {
  const { templates } = await askChosenReport(context);
  const results = templates.flatMap(({ id, name, blocks }) =>
    id === undefined ? [] : [{ name, value: id, description: blocks.map((block) => block.name).join(', ') }],
  );
  return { results: keepMatching(results, filter) };
}

/** The blocks of the chosen template of the chosen meeting; filtered here. */
async function searchReportBlocks(
  context: ILoadOptionsFunctions,
  filter: string,
): Promise<INodeListSearchResult> {
  const templateId = readChosen(context, 'templateId');
  if (templateId === undefined) throw askToChoose(context, 'Template', 'the block by its name');
  const { templates } = await askChosenReport(context);
  const template = templates.find(({ id }) => id === templateId);
  if (template === undefined) {
    throw new NodeOperationError(context.getNode(), 'The report of this meeting has no such template', {
      description: 'Choose another template: each report has templates of its own.',
    });
  }
  const results = template.blocks.map(({ name, text }) => ({
    name,
    value: name,
    description: text.slice(0, MAX_PREVIEW_LENGTH),
  }));
  return { results: keepMatching(results, filter) };
}

/** Enough to know a block by. */
const MAX_PREVIEW_LENGTH = 80;

async function askChosenReport(context: ILoadOptionsFunctions): Promise<Report> {
  const meetingId = readChosen(context, 'meetingId');
  if (meetingId === undefined) throw askToChoose(context, 'Meeting', 'the template by its ID');
  return await askReport(context, meetingId, listOptions);
}

/** What another parameter of the node has just then; undefined where it is empty, or an expression without a value as yet. */
function readChosen(context: ILoadOptionsFunctions, name: string): string | undefined {
  const given: unknown = context.getCurrentNodeParameter(name);
  const value = asText(asFields(given)?.['value'] ?? given)?.trim() ?? '';
  return value === '' || value.startsWith('=') ? undefined : value;
}

function askToChoose(context: ILoadOptionsFunctions, label: string, other: string): NodeOperationError {
  return new NodeOperationError(context.getNode(), `Choose the ${label} first`, {
    description: `The list is that of the report. Where ${label} is an expression, run the nodes before this one, so that it has a value here; or give ${other}.`,
  });
}

/** The tools of the MCP endpoint, which has no search for them: filtered here. */
async function searchTools(context: ServiceContext, filter: string): Promise<INodeListSearchResult> {
  const mcp = await connectMcp(context, listOptions);
  const { items: tools } = await mcp.listTools();
  const results = tools.map(({ name, description }) => ({
    name,
    value: name,
    ...(description === undefined ? {} : { description }),
  }));
  return { results: keepMatching(results, filter) };
}

/** Those whose name, value or description holds the filter, without case. Pure. */
function keepMatching(items: readonly INodeListSearchItems[], filter: string): INodeListSearchItems[] {
  const wanted = filter.toLowerCase();
  return items.filter(({ name, value, description = '' }) =>
    `${name}\n${String(value)}\n${description}`.toLowerCase().includes(wanted),
  );
}

/** Where a list goes on, as n8n keeps it between two questions of the editor. */
interface PagePlace {
  /** From 0. */
  readonly page: number;
  /** How many entries the pages before held. */
  readonly seen: number;
  /** The first id of the page before: a service that ignores `page` would give it again. */
  readonly firstId: string;
}

/** A text that is no token of ours is the beginning. Pure. */
export function readPageToken(token: string | undefined): PagePlace {
  const fields = asFields(parse(token ?? '')) ?? {};
  const { page, seen } = fields;
  return isCount(page) && isCount(seen) ? { page, seen, firstId: asText(fields['firstId']) ?? '' } : start;
}

/** Pure. */
export function writePageToken(place: PagePlace): string {
  return JSON.stringify(place);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
