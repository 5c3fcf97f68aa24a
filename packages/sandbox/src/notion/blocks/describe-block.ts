import { botReference } from '../notion-users.ts';
import { isInTrash, listInsides, type NotionWorld } from '../notion-world.ts';
import type { NotionBlock, NotionBlockTree } from './notion-block.ts';

/** A block; a page and a database are blocks too where they stand in a page. Undefined: there is none with this id. */
export function findBlock(world: NotionWorld, id: string): NotionBlock | undefined {
  const block = world.blocks.get(id);
  if (block !== undefined) return block;
  const page = world.pages.get(id);
  if (page !== undefined) {
    const { parent, createdTime, lastEditedTime, title } = page;
    const content = { title };
    return {
      id,
      type: 'child_page',
      content,
      parent,
      createdTime,
      lastEditedTime,
      isInTrash: page.isInTrash,
    };
  }
  const database = world.databases.get(id);
  if (database === undefined) return undefined;
  const { title, ...rest } = database;
  return { ...rest, type: 'child_database', content: { title }, isInTrash: false };
}

/** The ids of what is in a page or a block and not in the trash, in order. */
export function listChildren(world: NotionWorld, id: string): readonly string[] {
  return listInsides(world, id).filter((child) => findBlock(world, child)?.isInTrash === false);
}

/** As an answer carries it: https://developers.notion.com/reference/block */
export function describeBlock(world: NotionWorld, block: NotionBlock): object {
  const isGone = isInTrash(world, block.id);
  return {
    object: 'block',
    id: block.id,
    parent: block.parent,
    created_time: block.createdTime,
    last_edited_time: block.lastEditedTime,
    created_by: botReference,
    last_edited_by: botReference,
    has_children: listChildren(world, block.id).length > 0,
    archived: isGone,
    in_trash: isGone,
    type: block.type,
    [block.type]: block.content,
  };
}

/** A page's or block's inside, with everything in it. */
export function readTree(world: NotionWorld, id: string): readonly NotionBlockTree[] {
  return listChildren(world, id).flatMap((child) => {
    const block = findBlock(world, child);
    if (block === undefined) return [];
    const { type, content } = block;
    // What a page in a page holds is its own.
    const children = type === 'child_page' ? [] : readTree(world, child);
    return [{ id: child, type, content, children }];
  });
}
