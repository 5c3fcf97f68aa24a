import type { FoundMeeting, SearchPage } from '@aftermeet/client';

export interface SearchRest {
  /** Whether there are, or may be, meetings beyond the limit. */
  readonly isMore: boolean;
  /** Of all pages, where the service says it. */
  readonly total?: number;
}

/** Takes at most `limit` meetings from the pages, and asks for no page more than that needs. */
export async function searchMeetings(
  pages: AsyncIterable<SearchPage>,
  { limit, perPage }: { readonly limit: number; readonly perPage: number },
  take: (meeting: FoundMeeting) => void,
): Promise<SearchRest> {
  let taken = 0;
  /** Meetings on the pages that were skipped. */
  let before: number | undefined;
  for await (const { page, meetings, total } of pages) {
    before ??= page * perPage;
    for (const meeting of meetings) {
      take(meeting);
      taken += 1;
      if (taken < limit) continue;
      if (total === undefined) return { isMore: true };
      return { isMore: total > before + taken, total };
    }
  }
  return { isMore: false };
}
