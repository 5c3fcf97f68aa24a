import { limits, operations } from '@aftermeet/contract';

import type { Client, SearchInput } from '../client.ts';
import { describeOperation } from '../prepare-call.ts';
import { type ReadPage, readSearchPage } from '../read-search-page.ts';
import { type CallOptions, type Connection, sendRequest } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';
import { walkSearch } from '../walk-search.ts';

export function meetingMethods(connection: Connection): Client['meetings'] {
  return {
    search: (input = {}, options = {}) =>
      walkSearch((page) => askSearchPage(connection, { ...input, page }, options), input.page ?? 0),
  };
}

async function askSearchPage(
  connection: Connection,
  input: SearchInput & { readonly page: number },
  options: CallOptions,
): Promise<ReadPage> {
  const operation = operations.meetings.search;
  const asked = { ...input, perPage: input.perPage ?? limits.searchPageSize };
  const { status, body } = await sendRequest(connection, operation, asked, options);
  const page = readSearchPage(body, input.page);
  if (page !== undefined) return page;
  const detail = 'the answer holds no list of meetings';
  throw new ServiceError({ code: 'unreadable', doing: describeOperation(operation), status, detail });
}
