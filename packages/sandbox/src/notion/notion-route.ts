import type { Parts } from '../web/read-parts.ts';
import type { NotionWorld } from './notion-world.ts';

/** What a connection was allowed: https://developers.notion.com/reference/capabilities */
export const capabilities = ['read_content', 'insert_content', 'update_content', 'read_users'] as const;
type Capability = (typeof capabilities)[number];

/** A call whose path, query and body are right. */
export interface NotionRequest {
  /** The ids in the path, by the names they have there, with dashes. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: Parts;
  readonly body: Parts;
  /** Where the caller reaches the API: `http://127.0.0.1:4012`. */
  readonly origin: string;
}

/** One method of the API. */
export interface NotionRoute {
  /** Its name in the SDK, by which faults are aimed at it: `pages.create`. */
  readonly target: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/v1/pages/:page_id` */
  readonly path: string;
  readonly needs?: Capability;
  /** The type that the SDK publishes for its arguments. */
  readonly definition?: string;
  /** The names of the query's parameters. */
  readonly query?: readonly string[];
  /** For a call that changes something: the id of the page, block or data source that it changes. */
  readonly writesTo?: (request: NotionRequest) => string;
  readonly play: (world: NotionWorld, request: NotionRequest) => object;
}
