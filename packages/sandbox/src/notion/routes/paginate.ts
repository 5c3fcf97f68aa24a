import { refuseNotionBody, type NotionRefusal } from '../notion-refusal.ts';

const usualSize = 100;

/** What a request says about the part of a list that it wants: in its query or in its body. */
export interface Paging {
  readonly start_cursor?: unknown;
  readonly page_size?: unknown;
}

/**
 * One part of a list as an answer carries it: https://developers.notion.com/reference/intro#pagination. The cursor is
 * the id of the first item that is left. `type` names what is listed.
 */
export function paginate<Item>(
  items: readonly Item[],
  paging: Paging,
  type: string,
  describe: (item: Item) => object,
  readId: (item: Item) => string,
): object | NotionRefusal {
  const cursor = typeof paging.start_cursor === 'string' ? paging.start_cursor : undefined;
  const start = cursor === undefined ? 0 : items.findIndex((item) => readId(item) === cursor);
  if (start === -1) return refuseNotionBody(`The start_cursor provided is invalid: ${cursor ?? ''}`);
  const end = start + Number(paging.page_size ?? usualSize);
  const next = items[end];
  return {
    object: 'list',
    results: items.slice(start, end).map(describe),
    next_cursor: next === undefined ? null : readId(next),
    has_more: next !== undefined,
    type,
    [type]: {},
  };
}
