import { findList, readTag, type ReadPage, readTotal, warnOfMissing, warnOfUnread } from './answers.ts';
import type { List, SearchPage, Tag } from './client.ts';
import { type OperationName, ServiceError } from './errors.ts';
import { asFields, firstText } from './loose.ts';
import { unreadable } from './service-fault.ts';

const PAGE_REFUSED =
  'the service takes no page: if there are meetings beyond the first one, they are missing';

/**
 * The pages of a search, from page `first` on; each is requested only when it is needed. The last page is the one that reaches the
 * service's total or, where it names none, a page that is smaller than the first. An empty page and one with the meetings of the
 * page before, from a service that ignores `page`, come after the last one. A service that names no total and refuses `page`
 * (400) has one page: the last one is then empty, with a warning.
 */
export async function* walkSearch(
  askPage: (page: number) => Promise<ReadPage>,
  first = 0,
): AsyncGenerator<SearchPage, void, undefined> {
  let seen = 0;
  // A service may give fewer than it was asked for: what it gives first is what it takes for a page.
  let pageSize = 0;
  let idsBefore: string | undefined;
  let mayRefusePage = false;
  for (let page = first; ; page += 1) {
    const answer = await askPage(page).catch((error: unknown) => {
      if (mayRefusePage && error instanceof ServiceError && error.status === 400) return undefined;
      throw error;
    });
    if (answer === undefined) {
      yield { page, items: [], warnings: [PAGE_REFUSED], raw: undefined };
      return;
    }
    const { found, listed } = answer;
    const ids = JSON.stringify(found.items.map(({ id }) => id));
    if (page > first && (listed === 0 || ids === idsBefore)) return;
    yield found;
    if (page === first) {
      pageSize = listed;
      seen = first * listed;
    }
    seen += listed;
    if (listed === 0 || (found.total === undefined ? listed < pageSize : seen >= found.total)) return;
    idsBefore = ids;
    mayRefusePage = page === 0 && found.total === undefined;
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
 * The pages of the tags, each tag once; a page is asked for only when it is wanted. Ends at a page without a cursor, at a cursor
 * that was there before and at a page that brings nothing new. Throws `ServiceError` (`unreadable`) for an answer that is no list,
 * and for a list that does not end. Errors name `operation`.
 */
export async function* walkTags(
  askPage: (cursor: string | undefined) => Promise<TagPageAnswer>,
  operation: OperationName | string,
): AsyncGenerator<List<Tag>, void, undefined> {
  const ids = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let seen = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { listed, total, nextCursor, raw } = readTagPage(await askPage(cursor), operation);
    const read = listed.map(readTag).filter((tag) => tag !== undefined);
    const items: Tag[] = [];
    for (const tag of read) {
      if (!ids.has(tag.id)) items.push(tag);
      ids.add(tag.id);
    }
    seen += listed.length;
    const isStale = listed.length > 0 && items.length === 0;
    const isLast = nextCursor === undefined || cursors.has(nextCursor) || isStale;
    const warnings = [
      ...warnOfUnread(listed.length - read.length),
      ...(isLast ? warnOfMissing(seen, total) : []),
    ];
    yield { items, total, warnings, raw };
    if (isLast) return;
    if (halfPair.test(nextCursor))
      throw unreadable(operation, 'the cursor of the next page is not valid text');
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  throw unreadable(operation, `the list of tags did not end within ${MAX_PAGES} pages`);
}

function readTagPage({ status, body }: TagPageAnswer, operation: OperationName | string) {
  const listed = findList(body, tagListNames);
  if (listed === undefined) throw unreadable(operation, 'the answer holds no list of tags', status);
  const fields = asFields(body) ?? {};
  const nextCursor =
    firstText(fields, 'nextCursor', 'next_cursor') ??
    firstText(asFields(fields['data']) ?? {}, 'nextCursor', 'next_cursor');
  return { listed, total: readTotal(body), nextCursor, raw: body };
}
