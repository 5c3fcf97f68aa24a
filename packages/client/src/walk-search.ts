import type { SearchPage } from './client.ts';
import type { ReadPage } from './read-search-page.ts';

/**
 * The pages of a search, from page `first` on; each is asked for only when it is wanted. The last page is the one that reaches the
 * service's total or, where it names none, a page that is smaller than the first. An empty page and one with the meetings of the
 * page before, from a service that ignores `page`, come after the last one.
 */
export async function* walkSearch(
  askPage: (page: number) => Promise<ReadPage>,
  first = 0,
): AsyncGenerator<SearchPage, void, undefined> {
  let seen = 0;
  // A service may give fewer than it was asked for: what it gives first is what it takes for a page.
  let pageSize = 0;
  let idsBefore: string | undefined;
  for (let page = first; ; page += 1) {
    const { found, listed } = await askPage(page);
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
