import { listInsides, noteEdit, tellTime, type NotionWorld } from '../notion-world.ts';
import type { NotionParent } from '../pages/notion-page.ts';
import type { PlannedBlock } from './plan-blocks.ts';

/** Makes the planned blocks with all that is in them, and returns the ids of the outer ones. `at` is their place. */
export function insertBlocks(
  world: NotionWorld,
  parentId: string,
  blocks: readonly PlannedBlock[],
  at: number,
): readonly string[] {
  const ids = blocks.map((block) => makeBlock(world, block, describePlace(world, parentId)));
  const inside = listInsides(world, parentId);
  if (ids.length > 0) world.insides.set(parentId, [...inside.slice(0, at), ...ids, ...inside.slice(at)]);
  return ids;
}

function makeBlock(
  world: NotionWorld,
  { type, content, children }: PlannedBlock,
  parent: NotionParent,
): string {
  const id = world.makeId();
  const createdTime = tellTime(world);
  world.blocks.set(id, {
    id,
    type,
    content,
    parent,
    createdTime,
    lastEditedTime: createdTime,
    isInTrash: false,
  });
  noteEdit(world, id);
  insertBlocks(world, id, children, 0);
  return id;
}

function describePlace(world: NotionWorld, parentId: string): NotionParent {
  return world.pages.has(parentId)
    ? { type: 'page_id', page_id: parentId }
    : { type: 'block_id', block_id: parentId };
}

/** Forgets the blocks in a page or a block, with all that is in them; pages and databases stay. */
export function dropInsides(world: NotionWorld, id: string): void {
  const [blocks, others] = [true, false].map((isBlock) =>
    listInsides(world, id).filter((child) => world.blocks.has(child) === isBlock),
  );
  for (const child of blocks ?? []) {
    dropInsides(world, child);
    world.blocks.delete(child);
    world.edits.delete(child);
  }
  if (others?.length === 0) world.insides.delete(id);
  else world.insides.set(id, others ?? []);
}
