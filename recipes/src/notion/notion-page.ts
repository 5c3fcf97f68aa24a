import type { FieldValues } from './notion-fields.ts';

/** A run of text of one look (developers.notion.com, Rich text). */
export interface NotionText {
  readonly type: 'text';
  readonly text: { readonly content: string; readonly link?: { readonly url: string } };
  readonly annotations?: NotionAnnotations;
}

export interface NotionAnnotations {
  readonly bold?: true;
  readonly italic?: true;
  readonly strikethrough?: true;
  readonly code?: true;
  readonly color?: 'gray';
}

export type NotionBlockType =
  | 'paragraph'
  | 'heading_1'
  | 'heading_2'
  | 'heading_3'
  | 'bulleted_list_item'
  | 'numbered_list_item'
  | 'to_do'
  | 'quote'
  | 'callout'
  | 'toggle'
  | 'code'
  | 'divider'
  | 'table'
  | 'table_row';

/** What a block holds; which of it depends on its type (developers.notion.com, Block). */
export interface NotionContent {
  readonly rich_text?: readonly NotionText[];
  readonly children?: readonly NotionBlock[];
  readonly checked?: boolean;
  readonly language?: string;
  readonly icon?: { readonly type: 'emoji'; readonly emoji: string };
  readonly table_width?: number;
  readonly has_column_header?: boolean;
  readonly cells?: readonly (readonly NotionText[])[];
}

/** The parts of Notion's block model that we use, as Notion takes them. */
export type NotionBlock = { readonly type: NotionBlockType } & {
  readonly [Type in NotionBlockType]?: NotionContent;
};

/** One page of a data source, before it is known which properties the data source has. */
export interface NotionPage {
  /** Which facts it has, and so which properties they go to unless the mapping says otherwise. */
  readonly kind: 'meeting' | 'task';
  readonly title: string;
  readonly fields: FieldValues;
  /** Names of properties by fact; `false`: that fact is left out. What it names must be there. */
  readonly mapping: PropertyMapping;
  /** Everything in it, however long and nested two deep at most; empty: what is in it is other people's. */
  readonly blocks: readonly NotionBlock[];
  /** By which it is found whoever made it: there is one page for each, and it is changed in place of being made again. */
  readonly rowKey?: string;
  /** The data source in which its meeting is looked for; without it where the property points, and nobody waits for the meeting. */
  readonly meetings?: string;
  /** The property there that holds the meeting's id, where it is not the usual one. */
  readonly meetingProperty?: string;
}

export type PropertyMapping = Readonly<Record<string, string | false | undefined>>;

/** Notion's limits on a request (developers.notion.com, Request limits); of its 500 KB a part stays free. */
export const notionLimits = {
  items: 100,
  blocks: 1000,
  bytes: 400_000,
  text: 2000,
  url: 2000,
  option: 100,
  title: 300,
} as const;

export function makeBlock(type: NotionBlockType, content: NotionContent): NotionBlock {
  return { type, [type]: content };
}

export function contentOf(block: NotionBlock): NotionContent {
  return block[block.type] ?? {};
}
