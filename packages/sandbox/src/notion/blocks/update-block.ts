import { readParts, type Parts } from '../../web/read-parts.ts';
import {
  isRefusal,
  refuseMismatches,
  refuseTrash,
  refuseUnknown,
  refuseUnplayed,
  type NotionRefusal,
} from '../notion-refusal.ts';
import { isInTrash, readParentId, touch, type NotionWorld } from '../notion-world.ts';
import { findBlock } from './describe-block.ts';
import { planBlocks } from './plan-blocks.ts';
import { readContent } from './read-content.ts';

/** Changes a block by the body of a request whose shape is right: the fields it names, or whether it is in the trash. */
export function updateBlock(world: NotionWorld, id: string, body: Parts): NotionRefusal | undefined {
  const found = findBlock(world, id);
  if (found === undefined) return refuseUnknown('block', id);
  const { in_trash: inTrash, archived, type: _named, ...contents } = body;
  const wanted = inTrash ?? archived;
  if (isInTrash(world, id) && wanted !== false) return refuseTrash();
  if (Object.keys(contents).length > 0) {
    const { type } = found;
    const block = world.blocks.get(id);
    if (contents[type] === undefined || block === undefined) {
      return refuseMismatches([{ path: `body.${type}`, expected: ['defined'], value: undefined }]);
    }
    const sent = readParts(contents[type]);
    const content = readContent(world, sent, block.content);
    if (isRefusal(content)) return content;
    const refusal = checkRow(world, readParentId(block.parent) ?? '', type, sent);
    if (refusal !== undefined) return refusal;
    world.blocks.set(id, { ...block, content });
  }
  if (typeof wanted === 'boolean') moveToTrash(world, id, wanted);
  touch(world, id);
  return undefined;
}

/** Moves a block, or the page that it is, to the trash. */
export function deleteBlock(world: NotionWorld, id: string): NotionRefusal | undefined {
  if (findBlock(world, id) === undefined) return refuseUnknown('block', id);
  if (world.databases.has(id)) return refuseUnplayed('databases in the trash');
  if (isInTrash(world, id)) return refuseTrash();
  touch(world, id);
  moveToTrash(world, id, true);
  return undefined;
}

function moveToTrash(world: NotionWorld, id: string, isGone: boolean): void {
  const block = world.blocks.get(id);
  const page = world.pages.get(id);
  if (block !== undefined) world.blocks.set(id, { ...block, isInTrash: isGone });
  if (page !== undefined) world.pages.set(id, { ...page, isInTrash: isGone });
}

/** A row keeps as many cells as its table has columns. */
function checkRow(world: NotionWorld, tableId: string, type: string, row: Parts): NotionRefusal | undefined {
  const table = world.blocks.get(tableId);
  if (type !== 'table_row' || table === undefined) return undefined;
  const planned = planBlocks(world, [{ table_row: row }], table);
  return isRefusal(planned) ? planned : undefined;
}
