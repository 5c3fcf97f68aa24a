import type { Parts } from '../../web/read-parts.ts';
import type { PropertyType } from '../sources/property-types.ts';

export interface NotionProperty {
  readonly type: PropertyType;
  /** In the shape that Notion answers for this type. */
  readonly value: unknown;
}

/** What a page, a block or a database stands in. */
export type NotionParent =
  | { readonly type: 'data_source_id'; readonly data_source_id: string; readonly database_id: string }
  | { readonly type: 'page_id'; readonly page_id: string }
  | { readonly type: 'block_id'; readonly block_id: string }
  | { readonly type: 'workspace'; readonly workspace: true };

/** One page as the stand-in keeps it. */
export interface NotionPage {
  readonly id: string;
  /** '' for a page that is in no data source. */
  readonly dataSourceId: string;
  readonly parent: NotionParent;
  /** ISO 8601, cut to the minute as Notion does. */
  readonly createdTime: string;
  readonly lastEditedTime: string;
  readonly title: string;
  /** Every property that can be written, by name. */
  readonly properties: Readonly<Record<string, NotionProperty>>;
  /** The blocks as they were sent with the page. What it holds now, the stand-in's `readBlocks` tells. */
  readonly children: readonly Parts[];
  readonly isInTrash: boolean;
  readonly icon: unknown;
  readonly cover: unknown;
  readonly isLocked: boolean;
  /** Counts the pages of its data source, for `unique_id`. */
  readonly number: number;
  /** Unix milliseconds. */
  readonly createdMs: number;
}
