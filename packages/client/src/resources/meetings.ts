import { limits, operations } from '@aftermeet/contract';

import type { Client, SearchInput, SearchPage } from '../client.ts';
import { describeOperation } from '../prepare-call.ts';
import { readSearchPage } from '../read-search-page.ts';
import { type CallOptions, type Connection, sendRequest } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';

export function meetingMethods(connection: Connection): Client['meetings'] {
  return {
    search: (input = {}, options = {}) => searchPages(connection, input, options),
  };
}

/**
 * Asks for a page only when it is wanted. The last page is the one that reaches the service's total or, where
 * it names none, a page that is smaller than the first. An empty page and one with the meetings of the page
 * before, from a service that ignores `page`, come after the last one.
 */
async function* searchPages(
  connection: Connection,
  input: SearchInput,
  options: CallOptions,
): AsyncGenerator<SearchPage, void, undefined> {
  const operation = operations.meetings.search;
  const perPage = input.perPage ?? limits.searchPageSize;
  const first = input.page ?? 0;
  let seen = 0;
  // A service may give fewer than it was asked for: what it gives first is what it takes for a page.
  let pageSize = 0;
  let idsBefore: string | undefined;
  for (let page = first; ; page += 1) {
    const { status, body } = await sendRequest(connection, operation, { ...input, page, perPage }, options);
    const read = readSearchPage(body, page);
    if (read === undefined) {
      const detail = 'the answer holds no list of meetings';
      throw new ServiceError({ code: 'unreadable', doing: describeOperation(operation), status, detail });
    }
    const { found, listed } = read;
    const ids = JSON.stringify(found.meetings.map(({ id }) => id));
    if (page > first && (listed === 0 || ids === idsBefore)) return;
    yield found;
    if (page === first) {
      pageSize = listed;
      seen = first * listed;
    }
    seen += listed;
    if (listed === 0 || (found.total === undefined ? listed < pageSize : seen >= found.total)) return;
    idsBefore = ids;
  }
}
