import { limits, operations } from '@aftermeet/contract';

import type { Tag } from './client.ts';
import { findList } from './find-list.ts';
import { describeOperation } from './prepare-call.ts';
import { readTag } from './read-tag.ts';
import { asFields, firstText } from './report/loose.ts';
import { type CallOptions, type Connection, sendRequest } from './send-request.ts';
import { ServiceError } from './service-error.ts';

const listNames = ['tags', 'items', 'results'] as const;
/** A hundred thousand tags: nobody has them, so the list does not end. */
const MAX_PAGES = 1000;
/** No address can carry it. */
const halfPair = /\p{Surrogate}/u;

/**
 * All tags, each once. Ends at a page without a cursor, at a cursor that was there before and at a page that
 * brings nothing new.
 */
export async function listTags(connection: Connection, options?: CallOptions): Promise<readonly Tag[]> {
  const tags = new Map<string, Tag>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, nextCursor } = await readTagPage(connection, cursor, options);
    const known = tags.size;
    for (const tag of items.map(readTag)) if (tag !== undefined && !tags.has(tag.id)) tags.set(tag.id, tag);
    const isStale = items.length > 0 && tags.size === known;
    if (nextCursor === undefined || cursors.has(nextCursor) || isStale) return [...tags.values()];
    if (halfPair.test(nextCursor)) throw unreadable('the cursor of the next page is not valid text');
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  throw unreadable(`the list of tags did not end within ${MAX_PAGES} pages`);
}

async function readTagPage(
  connection: Connection,
  cursor: string | undefined,
  options: CallOptions | undefined,
): Promise<{ items: readonly unknown[]; nextCursor: string | undefined }> {
  const input = { perPage: limits.tagPageSize, ...(cursor === undefined ? {} : { cursor }) };
  const { status, body } = await sendRequest(connection, operations.tags.list, input, options);
  const items = findList(body, listNames);
  if (items === undefined) throw unreadable('the answer holds no list of tags', status);
  const fields = asFields(body) ?? {};
  const nextCursor =
    firstText(fields, 'nextCursor', 'next_cursor') ??
    firstText(asFields(fields['data']) ?? {}, 'nextCursor', 'next_cursor');
  return { items, nextCursor };
}

function unreadable(detail: string, status?: number): ServiceError {
  const doing = describeOperation(operations.tags.list);
  return new ServiceError({ code: 'unreadable', doing, detail, ...(status === undefined ? {} : { status }) });
}
