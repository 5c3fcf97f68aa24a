/** One page of a data source, before the properties of the data source are known. */
export interface NotionPage {
  /** Which facts the page has, and so the default properties for them. */
  readonly kind: 'meeting' | 'task';
  readonly title: string;
  readonly fields: FieldValues;
  /** Names of properties by fact; `false` leaves a fact out. A named property must exist. */
  readonly mapping: PropertyMapping;
  /** Further values by the name of their property, which must exist and have a type that holds them. */
  readonly properties?: FieldValues | undefined;
  /** Any number, nested at most two deep. Empty: the content of the page belongs to its readers. */
  readonly blocks: readonly NotionBlock[];
  /** Key of a task. At most one row has it; an existing row is updated, no matter who created it. */
  readonly rowKey?: string;
  /**
   * The data source with the pages of the meetings; the row then waits for its meeting's page. Absent: the one that the
   * relation points to, without waiting.
   */
  readonly meetings?: string;
  /** The property there that holds the meeting id. Absent: the default one. */
  readonly meetingProperty?: string;
}

export type PropertyMapping = Readonly<Record<string, string | false | undefined>>;

/** A fact of a meeting or a task. */
export type FieldValue =
  | { readonly kind: 'text'; readonly text: string }
  /** ISO 8601; `words`: the date as it was said. */
  | { readonly kind: 'date'; readonly start?: string; readonly end?: string; readonly words: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'checkbox'; readonly isChecked: boolean }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'url'; readonly url: string }
  /** The address finds the person among the people of the workspace; it is never shown. */
  | {
      readonly kind: 'person';
      readonly name: string;
      readonly email?: string;
      readonly id?: string | undefined;
    }
  | {
      readonly kind: 'meeting';
      readonly meetingId: string;
      readonly title: string;
      readonly startedAt?: string;
      readonly url?: string;
    };

/** Facts by name; `factRules` lists them. */
export type FieldValues = Readonly<Record<string, FieldValue | undefined>>;

/** The part of Notion's block model that we use, as the API takes it. */
export type NotionBlock = { readonly type: NotionBlockType } & {
  readonly [Type in NotionBlockType]?: NotionContent;
};

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

/** The content of a block; which fields it has depends on the type (developers.notion.com, Block). */
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

/** A run of text in one style (developers.notion.com, Rich text). */
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

/** Notion's limits on a request (developers.notion.com, Request limits), with room to spare below its 500 KB. */
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
