import { type FoundMeeting, ServiceError, walkSearch } from '@aftermeet/client/pure';

import { describeOperation } from '../../transport/send-operation.ts';
import type { ServiceContext } from '../../transport/service-context.ts';
import type { WireFields } from '../../wire/build-wire-request.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import { askSearchPage } from './search-page.ts';

/** A hundred thousand meetings and more: nobody has them, so the search does not end. */
const MAX_PAGES = 1000;

/**
 * The meetings of all pages, which end as in the client; a page is asked for only when it is wanted. Throws `ServiceError`, also for
 * a search that does not end.
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
  for await (const { meetings } of pages) yield* meetings;
}

function reportEndless(): ServiceError {
  const doing = describeOperation(wireOperations['meetings.search']);
  return new ServiceError({
    code: 'unreadable',
    doing,
    detail: `the search did not end within ${MAX_PAGES} pages`,
  });
}
