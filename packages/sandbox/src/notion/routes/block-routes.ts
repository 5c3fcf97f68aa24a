import { appendChildren } from '../blocks/append-children.ts';
import { describeBlock, findBlock, listChildren } from '../blocks/describe-block.ts';
import { deleteBlock, updateBlock } from '../blocks/update-block.ts';
import { isRefusal, refuseUnknown } from '../notion-refusal.ts';
import type { NotionRequest, NotionRoute } from '../notion-route.ts';
import type { NotionWorld } from '../notion-world.ts';
import { paginate } from './paginate.ts';

const path = '/v1/blocks/:block_id';

/** https://developers.notion.com/reference/retrieve-a-block and its neighbours. */
export const blockRoutes: readonly NotionRoute[] = [
  {
    target: 'blocks.retrieve',
    method: 'GET',
    path,
    needs: 'read_content',
    play: (world, { ids }) => answerBlock(world, readBlockId(ids)),
  },
  {
    target: 'blocks.update',
    method: 'PATCH',
    path,
    needs: 'update_content',
    definition: 'UpdateBlockParameters',
    writesTo: ({ ids }) => readBlockId(ids),
    play(world, { ids, body }) {
      return updateBlock(world, readBlockId(ids), body) ?? answerBlock(world, readBlockId(ids));
    },
  },
  {
    target: 'blocks.delete',
    method: 'DELETE',
    path,
    needs: 'update_content',
    writesTo: ({ ids }) => readBlockId(ids),
    play(world, { ids }) {
      return deleteBlock(world, readBlockId(ids)) ?? answerBlock(world, readBlockId(ids));
    },
  },
  {
    target: 'blocks.children.list',
    method: 'GET',
    path: `${path}/children`,
    needs: 'read_content',
    query: ['start_cursor', 'page_size'],
    play(world, { ids, query }) {
      const id = readBlockId(ids);
      if (findBlock(world, id) === undefined) return refuseUnknown('block', id);
      return listBlocks(world, listChildren(world, id), query);
    },
  },
  {
    target: 'blocks.children.append',
    method: 'PATCH',
    path: `${path}/children`,
    needs: 'insert_content',
    definition: 'AppendBlockChildrenParameters',
    writesTo: ({ ids }) => readBlockId(ids),
    play(world, { ids, body }) {
      const made = appendChildren(world, readBlockId(ids), body);
      return isRefusal(made) ? made : listBlocks(world, made, {});
    },
  },
];

function readBlockId(ids: NotionRequest['ids']): string {
  return ids['block_id'] ?? '';
}

function answerBlock(world: NotionWorld, id: string): object {
  const block = findBlock(world, id);
  return block === undefined ? refuseUnknown('block', id) : describeBlock(world, block);
}

function listBlocks(world: NotionWorld, ids: readonly string[], query: NotionRequest['query']): object {
  return paginate(
    ids,
    query,
    'block',
    (id) => answerBlock(world, id),
    (id) => id,
  );
}
