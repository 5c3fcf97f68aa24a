import { readText } from '../../web/read-parts.ts';
import { readNotionId } from '../notion-ids.ts';
import { isRefusal, refuseUnknown } from '../notion-refusal.ts';
import type { NotionRequest, NotionRoute } from '../notion-route.ts';
import { createPage } from '../pages/create-page.ts';
import { describePage } from '../pages/describe-page.ts';
import { updatePage } from '../pages/update-page.ts';
import { readNames } from './read-names.ts';

const query = ['filter_properties'];

/** https://developers.notion.com/reference/post-page and its neighbours. */
export const pageRoutes: readonly NotionRoute[] = [
  {
    target: 'pages.create',
    method: 'POST',
    path: '/v1/pages',
    needs: 'insert_content',
    definition: 'CreatePageParameters',
    query,
    writesTo: ({ body }) => nameParent(body['parent']),
    play(world, { body, query: { filter_properties: only } }) {
      const page = createPage(world, body);
      return isRefusal(page) ? page : describePage(world, page, readNames(only));
    },
  },
  {
    target: 'pages.retrieve',
    method: 'GET',
    path: '/v1/pages/:page_id',
    needs: 'read_content',
    query,
    play(world, { ids, query: { filter_properties: only } }) {
      const page = world.pages.get(readPageId(ids));
      return page === undefined
        ? refuseUnknown('page', readPageId(ids))
        : describePage(world, page, readNames(only));
    },
  },
  {
    target: 'pages.update',
    method: 'PATCH',
    path: '/v1/pages/:page_id',
    needs: 'update_content',
    definition: 'UpdatePageParameters',
    query,
    writesTo: ({ ids }) => readPageId(ids),
    play(world, { ids, body, query: { filter_properties: only } }) {
      const page = world.pages.get(readPageId(ids));
      if (page === undefined) return refuseUnknown('page', readPageId(ids));
      const updated = updatePage(world, page, body);
      return isRefusal(updated) ? updated : describePage(world, updated, readNames(only));
    },
  },
];

function readPageId(ids: NotionRequest['ids']): string {
  return ids['page_id'] ?? '';
}

/** Whatever a page is made in: two at once in the same place can collide. */
function nameParent(parent: unknown): string {
  const ids = Object.values(typeof parent === 'object' && parent !== null ? parent : {})
    .map((value) => readNotionId(readText(value)))
    .filter((id) => id !== undefined);
  return ids[0] ?? '';
}
