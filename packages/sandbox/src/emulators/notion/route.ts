import { type LooseObject } from '@aftermeet/pages';

import { refuseBody, type NotionRefusal } from './errors.ts';
import type { NotionCapability } from './options.ts';
import type { NotionState } from './state.ts';

/** One method of the API. */
export interface NotionRoute {
  /** Its name in the SDK, which faults use: `pages.create`. */
  readonly target: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With at most one id: `/v1/pages/:page_id` */
  readonly path: string;
  readonly needs: NotionCapability;
  /** The SDK's type of its arguments. */
  readonly definition?: string;
  /** The names of its query parameters. */
  readonly query?: readonly string[];
  readonly handle: (state: NotionState, request: NotionRequest) => object;
}

/** A call whose path, query and body are valid. */
export interface NotionRequest {
  /** The id in the path, with dashes; '' if the path has none. */
  readonly id: string;
  readonly query: LooseObject;
  readonly body: LooseObject;
}

export interface FoundRoute {
  readonly route: NotionRoute;
  /** The name and text of the id in the path; undefined without one. */
  readonly idName: string;
  readonly idText: string | undefined;
}

const defaultPageSize = 100;

interface Listing<Item> {
  /** The name of what is listed. */
  readonly type: string;
  readonly describe: (item: Item) => object;
  readonly idOf: (item: Item) => string;
}

/**
 * One page of a list: https://developers.notion.com/reference/intro#pagination. The cursor is the id of the first item
 * of the next page. `paging` is the query or the body of the request.
 */
export function paginate<Item>(
  items: readonly Item[],
  { start_cursor: cursor, page_size: size = defaultPageSize }: LooseObject,
  { type, describe, idOf }: Listing<Item>,
): object | NotionRefusal {
  const start = typeof cursor === 'string' ? items.findIndex((item) => idOf(item) === cursor) : 0;
  if (start === -1) return refuseBody(`The start_cursor provided is invalid: ${String(cursor)}`);
  const end = start + Number(size);
  const next = items[end];
  return {
    object: 'list',
    results: items.slice(start, end).map(describe),
    next_cursor: next === undefined ? null : idOf(next),
    has_more: next !== undefined,
    type,
    [type]: {},
  };
}
