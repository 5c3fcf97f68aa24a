import { readParts, readText } from '../../web/read-parts.ts';
import type { NotionRoute } from '../notion-route.ts';
import { isInTrash, type NotionWorld } from '../notion-world.ts';
import { describePage } from '../pages/describe-page.ts';
import { describeDataSource } from '../sources/data-source.ts';
import { paginate } from './paginate.ts';

interface Found {
  readonly id: string;
  readonly object: 'page' | 'data_source';
  readonly title: string;
  readonly describe: () => object;
}

/** https://developers.notion.com/reference/post-search: by title, the last edited first. */
export const searchRoute: NotionRoute = {
  target: 'search',
  method: 'POST',
  path: '/v1/search',
  needs: 'read_content',
  definition: 'SearchParameters',
  play(world, { body }) {
    const wanted = readText(body['query']).toLowerCase();
    const { value: object, in_trash: inTrash = false } = readParts(body['filter']);
    const found = listAll(world).filter(
      (item) =>
        item.title.toLowerCase().includes(wanted) &&
        (object === undefined || item.object === object) &&
        isInTrash(world, item.id) === inTrash,
    );
    const isOldestFirst = readParts(body['sort'])['direction'] === 'ascending';
    return paginate(
      isOldestFirst ? found : found.toReversed(),
      body,
      'page_or_data_source',
      ({ describe }) => describe(),
      ({ id }) => id,
    );
  },
};

/** In the order of their last change. */
function listAll(world: NotionWorld): readonly Found[] {
  const latest = world.clock() - world.readQueryLagMs();
  return [...world.edits].flatMap((id): readonly Found[] => {
    const page = world.pages.get(id);
    if (page !== undefined) {
      const describe = (): object => describePage(world, page);
      return page.createdMs <= latest ? [{ id, object: 'page', title: page.title, describe }] : [];
    }
    const source = world.sources.get(id);
    if (source === undefined) return [];
    const parent = world.databases.get(source.databaseId)?.parent ?? {};
    const describe = (): object => describeDataSource(source, parent);
    return [{ id, object: 'data_source', title: source.name, describe }];
  });
}
