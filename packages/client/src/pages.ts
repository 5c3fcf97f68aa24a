import { findList, readTag, type ReadPage } from './answers.ts';
import type { SearchPage, Tag } from './client.ts';
import type { OperationName } from './errors.ts';
import { asFields, firstText } from './loose.ts';
import { unreadable } from './service-fault.ts';

/**
 * The pages of a search, from page `first` on; each is requested only when it is needed. The last page is the one that reaches the
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

export interface TagPageAnswer {
  readonly status: number;
  readonly body: unknown;
}

const tagListNames = ['tags', 'items', 'results'] as const;
/** A hundred thousand tags: a longer list does not end. */
const MAX_PAGES = 1000;
/** A URL cannot carry it. */
const halfPair = /\p{Surrogate}/u;

/**
 * All tags, each once; a page is asked for only when it is wanted. Ends at a page without a cursor, at a cursor that was there
 * before and at a page that brings nothing new. Throws `ServiceError` (`unreadable`) for an answer that is no list, and for a
 * list that does not end. Errors name `operation`.
 */
export async function* walkTags(
  askPage: (cursor: string | undefined) => Promise<TagPageAnswer>,
  operation: OperationName | string,
): AsyncGenerator<Tag, void, undefined> {
  const ids = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, nextCursor } = readTagPage(await askPage(cursor), operation);
    const known = ids.size;
    for (const tag of items.map(readTag)) {
      if (tag === undefined || ids.has(tag.id)) continue;
      ids.add(tag.id);
      yield tag;
    }
    const isStale = items.length > 0 && ids.size === known;
    if (nextCursor === undefined || cursors.has(nextCursor) || isStale) return;
    if (halfPair.test(nextCursor))
      throw unreadable(operation, 'the cursor of the next page is not valid text');
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  throw unreadable(operation, `the list of tags did not end within ${MAX_PAGES} pages`);
}

function readTagPage(
  { status, body }: TagPageAnswer,
  operation: OperationName | string,
): { items: readonly unknown[]; nextCursor: string | undefined } {
  const items = findList(body, tagListNames);
  if (items === undefined) throw unreadable(operation, 'the answer holds no list of tags', status);
  const fields = asFields(body) ?? {};
  const nextCursor =
    firstText(fields, 'nextCursor', 'next_cursor') ??
    firstText(asFields(fields['data']) ?? {}, 'nextCursor', 'next_cursor');
  return { items, nextCursor };
}
