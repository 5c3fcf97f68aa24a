import { type LooseObject } from '@aftermeet/pages';

import type { ReceivedLog } from '../received-log.ts';
import type { NotionUser } from './users.ts';

/** The id of the data source of meetings. */
export const defaultDataSourceId = '5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5c';
/** The id of the data source of tasks. */
export const defaultTasksDataSourceId = '6b3c8d2f-5e40-4b71-9c2d-a01e304b5c6d';

/** Everything that the emulated workspace holds. */
export interface NotionState {
  /** Every page as it was created, in order. */
  readonly log: ReceivedLog<NotionPage>;
  readonly pages: Map<string, NotionPage>;
  readonly blocks: Map<string, NotionBlock>;
  /** The ids of the blocks in a page or a block, in order. */
  readonly children: Map<string, readonly string[]>;
  readonly sources: Map<string, DataSource>;
  readonly users: readonly NotionUser[];
  readonly makeId: () => string;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** A page: a row of a data source. */
export interface NotionPage {
  readonly id: string;
  readonly dataSourceId: string;
  /** ISO 8601, cut to the minute as Notion does. */
  readonly createdTime: string;
  readonly lastEditedTime: string;
  readonly title: string;
  readonly properties: Readonly<Record<string, NotionProperty>>;
  /** The blocks that were sent with the page; `readBlocks` returns what it holds now. */
  readonly children: readonly LooseObject[];
  readonly isInTrash: boolean;
}

export interface NotionProperty {
  readonly type: PropertyType;
  /** In the shape of answers. */
  readonly value: unknown;
}

export interface NotionBlock {
  readonly id: string;
  readonly type: string;
  /** In the shape of answers, without children. */
  readonly content: LooseObject;
  readonly parent: BlockParent;
  /** ISO 8601, cut to the minute. */
  readonly createdTime: string;
  readonly lastEditedTime: string;
  readonly isInTrash: boolean;
}

export type BlockParent =
  | { readonly type: 'page_id'; readonly page_id: string }
  | { readonly type: 'block_id'; readonly block_id: string };

/** A block with everything in it. */
export interface NotionBlockTree {
  readonly id: string;
  readonly type: string;
  readonly content: LooseObject;
  readonly children: readonly NotionBlockTree[];
}

export interface DataSource {
  readonly id: string;
  readonly databaseId: string;
  readonly name: string;
  readonly properties: readonly SourceProperty[];
  /** ISO 8601, cut to the minute. */
  readonly createdTime: string;
  readonly lastEditedTime: string;
}

/** A column of a data source. */
export interface SourceProperty {
  /** Short and opaque; a renamed property keeps it. The title's is always `title`. */
  readonly id: string;
  readonly name: string;
  readonly type: PropertyType;
  /** What answers have under the name of the type. */
  readonly config: LooseObject;
}

/** The property types that recipes fill, with their empty values; Notion has more. */
const emptyValues = {
  title: [],
  rich_text: [],
  number: null,
  select: null,
  status: null,
  multi_select: [],
  date: null,
  checkbox: false,
  url: null,
  people: [],
  relation: [],
} as const;

export type PropertyType = keyof typeof emptyValues;

export function isPropertyType(text: string): text is PropertyType {
  return Object.hasOwn(emptyValues, text);
}

export function emptyValueOf(type: PropertyType): unknown {
  return emptyValues[type];
}

const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** An id with dashes, as answers have it; requests may leave them out. Undefined when the text is no id. */
export function toNotionId(text: string): string | undefined {
  if (!uuidPattern.test(text)) return undefined;
  const digits = text.replaceAll('-', '').toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The address for people. */
export function urlOf(id: string): string {
  return `https://www.notion.so/${id.replaceAll('-', '')}`;
}

const minuteMs = 60_000;

/** The time of a change, cut to the minute as Notion does. */
export function currentTime({ clock }: NotionState): string {
  return new Date(Math.floor(clock() / minuteMs) * minuteMs).toISOString();
}

/** Marks a page or block as edited, with everything that it is in. */
export function touch(state: NotionState, id: string): void {
  const lastEditedTime = currentTime(state);
  const page = state.pages.get(id);
  if (page !== undefined) state.pages.set(id, { ...page, lastEditedTime });
  const block = state.blocks.get(id);
  if (block === undefined) return;
  state.blocks.set(id, { ...block, lastEditedTime });
  touch(state, parentIdOf(block));
}

export function parentIdOf({ parent }: NotionBlock): string {
  return parent.type === 'page_id' ? parent.page_id : parent.block_id;
}

/** Whether a page or block, or anything that it is in, is in the trash. */
export function isInTrash(state: NotionState, id: string): boolean {
  const block = state.blocks.get(id);
  if (block === undefined) return state.pages.get(id)?.isInTrash === true;
  return block.isInTrash || isInTrash(state, parentIdOf(block));
}
