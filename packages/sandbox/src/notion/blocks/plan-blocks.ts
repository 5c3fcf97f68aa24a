import { readList, readParts, type Parts } from '../../web/read-parts.ts';
import { isRefusal, refuseNotionBody, type NotionRefusal } from '../notion-refusal.ts';
import type { NotionWorld } from '../notion-world.ts';
import { blockDefaults, fitsInto, readBlockType, takesChildren } from './block-types.ts';
import { readContent } from './read-content.ts';

/** A block that is going to be made. */
export interface PlannedBlock {
  readonly type: string;
  readonly content: Parts;
  readonly children: readonly PlannedBlock[];
}

/**
 * Reads the blocks of a request, whose shape is right, for a page or block of the type `outer`. Nothing is made yet: a
 * request is done whole or not at all.
 */
export function planBlocks(
  world: NotionWorld,
  sent: unknown,
  outer: { readonly type: string; readonly content: Parts },
): readonly PlannedBlock[] | NotionRefusal {
  const planned: PlannedBlock[] = [];
  for (const block of readList(sent)) {
    const next = planBlock(world, block, outer);
    if (isRefusal(next)) return next;
    planned.push(next);
  }
  return planned;
}

function planBlock(
  world: NotionWorld,
  block: Parts,
  outer: { readonly type: string; readonly content: Parts },
): PlannedBlock | NotionRefusal {
  const type = readBlockType(block);
  if (!fitsInto(outer.type, type)) {
    return refuseNotionBody(`A ${type} block cannot stand directly in a ${outer.type} block.`);
  }
  const sent = readParts(block[type]);
  const content = readContent(world, sent, blockDefaults[type] ?? {});
  if (isRefusal(content)) return content;
  if (type === 'table_row' && countCells(content) !== outer.content['table_width']) {
    return refuseNotionBody(
      'Content creation Failed. Fix the following: \nNumber of cells in table row must match the table width of the parent table',
    );
  }
  const isLeaf = readList(sent['children']).length === 0;
  if (!isLeaf && !takesChildren(type, content)) return refuseNotionBody('Block does not support children.');
  const children = planBlocks(world, sent['children'], { type, content });
  return isRefusal(children) ? children : { type, content, children };
}

function countCells({ cells }: Parts): number {
  return Array.isArray(cells) ? cells.length : 0;
}
