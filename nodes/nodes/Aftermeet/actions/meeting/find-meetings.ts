import { type FoundMeeting, ServiceError, walkSearch } from '@aftermeet/client/pure';

import { describeOperation } from '../../transport/send-operation.ts';
import type { ServiceContext } from '../../transport/service-context.ts';
import type { WireFields } from '../../wire/build-wire-request.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import { askSearchPage } from './search-page.ts';

/** Fifty thousand meetings: nobody has them, so the search does not end. */
const MAX_PAGES = 1000;

/**
 * The meetings of all pages, which end as in the client; a page is asked for only when it is wanted. Each comes once, also where one
 * that was made meanwhile pushes another onto the next page; all of a series have one id (observed), so the start counts too.
 * Throws `ServiceError`, also for a search that does not end.
 */
export async function* findMeetings(
  context: ServiceContext,
  filters: WireFields,
  perPage: number,
): AsyncGenerator<FoundMeeting, void, undefined> {
  const pages = walkSearch((page) => {
    if (page >= MAX_PAGES) throw reportEndless();
    return askSearchPage(context, { ...filters, page, perPage });
  });
  const given = new Set<string>();
  for await (const { meetings } of pages) {
    for (const meeting of meetings) {
      const { id, startedAt, raw } = meeting;
      const key = JSON.stringify([id, startedAt ?? raw]);
      if (!given.has(key)) yield meeting;
      given.add(key);
    }
  }
}

function reportEndless(): ServiceError {
  const doing = describeOperation(wireOperations['meetings.search']);
  return new ServiceError({
    code: 'unreadable',
    doing,
    detail: `the search did not end within ${MAX_PAGES} pages`,
  });
}
