import type { Parts } from '../../web/read-parts.ts';

const text = { rich_text: [], color: 'default' };
const heading = { ...text, is_toggleable: false };
const media = { caption: [] };

/**
 * The blocks that a request can make, with what answers tell where the request said nothing:
 * https://developers.notion.com/reference/block
 */
export const blockDefaults: Readonly<Record<string, Parts>> = {
  audio: media,
  bookmark: { caption: [], url: '' },
  breadcrumb: {},
  bulleted_list_item: text,
  callout: { ...text, icon: null },
  code: { rich_text: [], caption: [], language: 'plain text' },
  column: {},
  column_list: {},
  divider: {},
  embed: { caption: [], url: '' },
  equation: { expression: '' },
  file: { caption: [], name: '' },
  heading_1: heading,
  heading_2: heading,
  heading_3: heading,
  heading_4: heading,
  image: media,
  link_to_page: {},
  numbered_list_item: text,
  paragraph: { ...text, icon: null },
  pdf: media,
  quote: text,
  synced_block: { synced_from: null },
  tab: {},
  table: { has_column_header: false, has_row_header: false },
  table_of_contents: { color: 'default' },
  table_row: { cells: [] },
  template: { rich_text: [] },
  to_do: { ...text, checked: false },
  toggle: text,
  video: media,
};

/** A block's type: named, or told by its one content key. */
export function readBlockType(block: Parts): string {
  const named = block['type'];
  if (typeof named === 'string' && named in block) return named;
  return Object.keys(block).find((key) => Object.hasOwn(blockDefaults, key)) ?? '';
}

const containers: ReadonlySet<string> = new Set([
  'bulleted_list_item',
  'callout',
  'child_page',
  'column',
  'column_list',
  'numbered_list_item',
  'paragraph',
  'quote',
  'synced_block',
  'tab',
  'table',
  'template',
  'to_do',
  'toggle',
]);

/** Whether blocks can be put into it. Headings hold some when they can be folded. */
export function takesChildren(type: string, content: Parts): boolean {
  return containers.has(type) || content['is_toggleable'] === true;
}

/** What stands only in one kind of block, and what that kind alone holds. */
const pairs: readonly (readonly [outer: string, inner: string])[] = [
  ['table', 'table_row'],
  ['column_list', 'column'],
];

export function fitsInto(outer: string, inner: string): boolean {
  return pairs.every((pair) => (pair[0] === outer) === (pair[1] === inner));
}
