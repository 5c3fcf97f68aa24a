import type { FoundMeeting, ReadPage } from '@aftermeet/client/pure';
import { limits } from '@aftermeet/contract/pure';
import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { askSearchPage } from '../actions/meeting/search-page.ts';
import type { ServiceContext } from '../transport/service-context.ts';
import { listOptions } from './list-options.ts';
import { type PagePlace, readPageToken, writePageToken } from './page-token.ts';

/** Meetings whose title holds the filter, a page at a time. The pages end as in walk-search.ts of the client. */
export async function searchMeetings(
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
  const { meetings } = answer.found;
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
