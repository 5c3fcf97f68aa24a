import type { Tag } from './client.ts';
import { findList } from './find-list.ts';
import { readTag } from './read-tag.ts';
import { asFields, firstText } from './report/loose.ts';
import { ServiceError } from './service-error.ts';

export interface TagPageAnswer {
  readonly status: number;
  readonly body: unknown;
}

const listNames = ['tags', 'items', 'results'] as const;
/** A hundred thousand tags: nobody has them, so the list does not end. */
const MAX_PAGES = 1000;
/** No address can carry it. */
const halfPair = /\p{Surrogate}/u;

/**
 * All tags, each once; a page is asked for only when it is wanted. Ends at a page without a cursor, at a cursor that was there
 * before and at a page that brings nothing new. Throws `ServiceError` (`unreadable`) for an answer that is no list, and for a
 * list that does not end. `doing` stands in errors.
 */
export async function* walkTags(
  askPage: (cursor: string | undefined) => Promise<TagPageAnswer>,
  doing: string,
): AsyncGenerator<Tag, void, undefined> {
  const ids = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, nextCursor } = readTagPage(await askPage(cursor), doing);
    const known = ids.size;
    for (const tag of items.map(readTag)) {
      if (tag === undefined || ids.has(tag.id)) continue;
      ids.add(tag.id);
      yield tag;
    }
    const isStale = items.length > 0 && ids.size === known;
    if (nextCursor === undefined || cursors.has(nextCursor) || isStale) return;
    if (halfPair.test(nextCursor)) throw unreadable(doing, 'the cursor of the next page is not valid text');
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  throw unreadable(doing, `the list of tags did not end within ${MAX_PAGES} pages`);
}

function readTagPage(
  { status, body }: TagPageAnswer,
  doing: string,
): { items: readonly unknown[]; nextCursor: string | undefined } {
  const items = findList(body, listNames);
  if (items === undefined) throw unreadable(doing, 'the answer holds no list of tags', status);
  const fields = asFields(body) ?? {};
  const nextCursor =
    firstText(fields, 'nextCursor', 'next_cursor') ??
    firstText(asFields(fields['data']) ?? {}, 'nextCursor', 'next_cursor');
  return { items, nextCursor };
}

function unreadable(doing: string, detail: string, status?: number): ServiceError {
  return new ServiceError({ code: 'unreadable', doing, detail, ...(status === undefined ? {} : { status }) });
}
