import { toObject, toObjects, type LooseObject } from '@aftermeet/pages';

import {
  isRefusal,
  refuseBody,
  refuseField,
  refuseTrash,
  refuseUnknown,
  refuseUnsupported,
  type NotionRefusal,
} from './errors.ts';
import { toRichText } from './rich-text.ts';
import { paginate, type NotionRoute } from './route.ts';
import {
  currentTime,
  isInTrash,
  parentIdOf,
  touch,
  type BlockParent,
  type NotionBlock,
  type NotionBlockTree,
  type NotionState,
} from './state.ts';
import { botReference } from './users.ts';

const path = '/v1/blocks/:block_id';

/** https://developers.notion.com/reference/block */
export const blockRoutes: readonly NotionRoute[] = [
  {
    target: 'blocks.update',
    method: 'PATCH',
    path,
    needs: 'update_content',
    definition: 'UpdateBlockParameters',
    handle: (state, { id, body }) => updateBlock(state, id, body) ?? describeBlock(state, id),
  },
  {
    target: 'blocks.delete',
    method: 'DELETE',
    path,
    needs: 'update_content',
    handle: (state, { id }) => deleteBlock(state, id) ?? describeBlock(state, id),
  },
  {
    target: 'blocks.children.list',
    method: 'GET',
    path: `${path}/children`,
    needs: 'read_content',
    query: ['start_cursor', 'page_size'],
    handle: (state, { id, query }) =>
      state.blocks.has(id) || state.pages.has(id)
        ? listBlocks(state, listChildren(state, id), query)
        : refuseUnknown('block', id),
  },
  {
    target: 'blocks.children.append',
    method: 'PATCH',
    path: `${path}/children`,
    needs: 'insert_content',
    definition: 'AppendBlockChildrenParameters',
    handle(state, { id, body }) {
      const added = appendChildren(state, id, body);
      return isRefusal(added) ? added : listBlocks(state, added, {});
    },
  },
];

function listBlocks(state: NotionState, ids: readonly string[], paging: LooseObject): object {
  return paginate(ids, paging, {
    type: 'block',
    describe: (id) => describeBlock(state, id),
    idOf: (id) => id,
  });
}

/** https://developers.notion.com/reference/block */
function describeBlock(state: NotionState, id: string): object {
  const block = state.blocks.get(id);
  if (block === undefined) return refuseUnknown('block', id);
  const isGone = isInTrash(state, id);
  return {
    object: 'block',
    id,
    parent: block.parent,
    created_time: block.createdTime,
    last_edited_time: block.lastEditedTime,
    created_by: botReference,
    last_edited_by: botReference,
    has_children: listChildren(state, id).length > 0,
    archived: isGone,
    in_trash: isGone,
    type: block.type,
    [block.type]: block.content,
  };
}

/** The ids of the blocks in a page or block, in order, without those in the trash. */
function listChildren({ children, blocks }: NotionState, id: string): readonly string[] {
  return (children.get(id) ?? []).filter((child) => blocks.get(child)?.isInTrash === false);
}

/** The content of a page or block with everything in it. */
export function readTree(state: NotionState, id: string): readonly NotionBlockTree[] {
  return listChildren(state, id).flatMap((child) => {
    const block = state.blocks.get(child);
    if (block === undefined) return [];
    return [{ id: child, type: block.type, content: block.content, children: readTree(state, child) }];
  });
}

/** Adds the blocks of a request at the end of a page or block; returns their ids. Adds all or none. */
function appendChildren(
  state: NotionState,
  id: string,
  body: LooseObject,
): readonly string[] | NotionRefusal {
  const block = state.blocks.get(id);
  if (block === undefined && !state.pages.has(id)) return refuseUnknown('block', id);
  if (isInTrash(state, id)) return refuseTrash();
  const place = ['after', 'position'].find((key) => body[key] !== undefined);
  if (place !== undefined) return refuseUnsupported(`blocks.children.append with ${place}`);
  const parent = block ?? pageAsParent;
  if (!takesChildren(parent)) return refuseBody('Block does not support children');
  const planned = planBlocks(body['children'], parent);
  if (isRefusal(planned)) return planned;
  const added = insertBlocks(state, id, planned);
  touch(state, id);
  return added;
}

/** Changes the content of a block. */
function updateBlock(state: NotionState, id: string, body: LooseObject): NotionRefusal | undefined {
  const block = state.blocks.get(id);
  if (block === undefined) return refuseUnknown('block', id);
  const { type } = block;
  const other = ['in_trash', 'archived'].find((key) => body[key] !== undefined);
  if (other !== undefined) return refuseUnsupported(`blocks.update with ${other}`);
  if (isInTrash(state, id)) return refuseTrash();
  if (body[type] === undefined) {
    return refuseField(`body.${type}`);
  }
  const content = mergeContent(toObject(body[type]), block.content);
  const table = state.blocks.get(parentIdOf(block));
  if (type === 'table_row' && countCells(content) !== table?.content['table_width']) return refuseRow();
  state.blocks.set(id, { ...block, content });
  touch(state, id);
  return undefined;
}

/** Moves a block to the trash. */
function deleteBlock(state: NotionState, id: string): NotionRefusal | undefined {
  const block = state.blocks.get(id);
  if (block === undefined) {
    return state.pages.has(id)
      ? refuseUnsupported('blocks.delete on a page; use pages.update with in_trash')
      : refuseUnknown('block', id);
  }
  if (isInTrash(state, id)) return refuseTrash();
  state.blocks.set(id, { ...block, isInTrash: true });
  touch(state, id);
  return undefined;
}

/** A block that is valid and not inserted yet. */
export interface PlannedBlock {
  readonly type: string;
  readonly content: LooseObject;
  readonly children: readonly PlannedBlock[];
}

type Container = Pick<PlannedBlock, 'type' | 'content'>;

/** A page as the parent of blocks. */
export const pageAsParent: Container = { type: 'child_page', content: {} };

/** Parses the blocks of a request that fits the schema. Nothing is inserted: a request succeeds or fails as a whole. */
export function planBlocks(sent: unknown, parent: Container): readonly PlannedBlock[] | NotionRefusal {
  const planned: PlannedBlock[] = [];
  for (const block of toObjects(sent)) {
    const next = planBlock(block, parent);
    if (isRefusal(next)) return next;
    planned.push(next);
  }
  return planned;
}

function planBlock(block: LooseObject, parent: Container): PlannedBlock | NotionRefusal {
  const type = typeOfBlock(block);
  if (type === undefined)
    return refuseUnsupported(`such a block: ${Object.keys(block).join(', ').slice(0, 100)}`);
  if (!fitsInto(parent.type, type)) {
    return refuseBody(`A ${type} block cannot stand directly in a ${parent.type} block.`);
  }
  const sent = toObject(block[type]);
  const content = mergeContent(sent, blockDefaults[type] ?? {});
  if (type === 'table_row' && countCells(content) !== parent.content['table_width']) return refuseRow();
  const isLeaf = toObjects(sent['children']).length === 0;
  if (!isLeaf && !takesChildren({ type, content })) return refuseBody('Block does not support children.');
  const children = planBlocks(sent['children'], { type, content });
  return isRefusal(children) ? children : { type, content, children };
}

function countCells({ cells }: LooseObject): number {
  return Array.isArray(cells) ? cells.length : 0;
}

function refuseRow(): NotionRefusal {
  return refuseBody(
    'Content creation Failed. Fix the following: \nNumber of cells in table row must match the table width of the parent table',
  );
}

/** Adds planned blocks with everything in them at the end of a page or block; returns the ids of the outer ones. */
export function insertBlocks(
  state: NotionState,
  parentId: string,
  blocks: readonly PlannedBlock[],
): readonly string[] {
  const parent: BlockParent = state.pages.has(parentId)
    ? { type: 'page_id', page_id: parentId }
    : { type: 'block_id', block_id: parentId };
  const createdTime = currentTime(state);
  const ids = blocks.map(({ type, content, children }) => {
    const id = state.makeId();
    const times = { createdTime, lastEditedTime: createdTime };
    const block: NotionBlock = { id, type, content, parent, ...times, isInTrash: false };
    state.blocks.set(id, block);
    insertBlocks(state, id, children);
    return id;
  });
  if (ids.length > 0) state.children.set(parentId, [...(state.children.get(parentId) ?? []), ...ids]);
  return ids;
}

/** Removes everything in a page or block. */
export function removeChildren(state: NotionState, id: string): void {
  for (const child of state.children.get(id) ?? []) {
    removeChildren(state, child);
    state.blocks.delete(child);
  }
  state.children.delete(id);
}

/** The content of a block from a request that fits the schema, in the shape of answers. `before` is its content so far, or its default. */
function mergeContent(sent: LooseObject, before: LooseObject): LooseObject {
  const content = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(sent)) {
    if (key === 'rich_text' || key === 'caption') content.set(key, toRichText(value));
    else if (key === 'cells' && Array.isArray(value)) content.set(key, value.map(toRichText));
    else if (key === 'icon') content.set(key, { type: 'emoji', ...toObject(value) });
    else if (key !== 'children' && key !== 'type') content.set(key, value);
  }
  return Object.fromEntries(content);
}

const text = { rich_text: [], color: 'default' };
const heading = { ...text, is_toggleable: false };

/**
 * The blocks that recipes write, with the defaults of their content: https://developers.notion.com/reference/block. Notion
 * has more.
 */
const blockDefaults: Readonly<Record<string, LooseObject>> = {
  bulleted_list_item: text,
  callout: { ...text, icon: null },
  code: { rich_text: [], caption: [], language: 'plain text' },
  divider: {},
  heading_1: heading,
  heading_2: heading,
  heading_3: heading,
  numbered_list_item: text,
  paragraph: { ...text, icon: null },
  quote: text,
  table: { has_column_header: false, has_row_header: false },
  table_row: { cells: [] },
  to_do: { ...text, checked: false },
  toggle: text,
};

/** The block's one content key; undefined: the emulator has no such block. */
function typeOfBlock(block: LooseObject): string | undefined {
  return Object.keys(block).find((key) => Object.hasOwn(blockDefaults, key));
}

const leafTypes: ReadonlySet<string> = new Set(['code', 'divider', 'table_row']);

/** Headings take children when they can be folded. */
function takesChildren({ type, content }: Container): boolean {
  return !leafTypes.has(type) && content['is_toggleable'] !== false;
}

/** A row is only in a table, and a table holds nothing else. */
function fitsInto(parentType: string, type: string): boolean {
  return (parentType === 'table') === (type === 'table_row');
}
