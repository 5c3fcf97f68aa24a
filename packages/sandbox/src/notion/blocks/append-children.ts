import { readParts, readText, type Parts } from '../../web/read-parts.ts';
import { readNotionId } from '../notion-ids.ts';
import {
  isRefusal,
  refuseNotionBody,
  refuseTrash,
  refuseUnknown,
  type NotionRefusal,
} from '../notion-refusal.ts';
import { isInTrash, listInsides, touch, type NotionWorld } from '../notion-world.ts';
import { takesChildren } from './block-types.ts';
import { findBlock } from './describe-block.ts';
import { insertBlocks } from './insert-blocks.ts';
import { planBlocks } from './plan-blocks.ts';

/** Puts the blocks of a request into a page or a block, and returns their ids: all of them, or a refusal. */
export function appendChildren(
  world: NotionWorld,
  id: string,
  body: Parts,
): readonly string[] | NotionRefusal {
  const block = findBlock(world, id);
  if (block === undefined) return refuseUnknown('block', id);
  if (isInTrash(world, id)) return refuseTrash();
  if (!takesChildren(block.type, block.content)) return refuseNotionBody('Block does not support children');
  const at = readPlace(world, id, body);
  if (isRefusal(at)) return at;
  const planned = planBlocks(world, body['children'], block);
  if (isRefusal(planned)) return planned;
  const made = insertBlocks(world, id, planned, at);
  touch(world, id);
  return made;
}

/** The place among what is in it already: at the end unless told otherwise. */
function readPlace(world: NotionWorld, id: string, body: Parts): number | NotionRefusal {
  const inside = listInsides(world, id);
  const position = readParts(body['position']);
  if (position['type'] === 'start') return 0;
  const after = body['after'] ?? readParts(position['after_block'])['id'];
  if (after === undefined) return inside.length;
  const asked = readText(after);
  const index = inside.indexOf(readNotionId(asked) ?? asked);
  return index === -1
    ? refuseNotionBody(`Block to append children after: ${asked} is not parented by ${id}`)
    : index + 1;
}
