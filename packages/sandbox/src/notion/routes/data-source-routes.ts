import { isRefusal, refuseUnknown } from '../notion-refusal.ts';
import type { NotionRequest, NotionRoute } from '../notion-route.ts';
import type { NotionWorld } from '../notion-world.ts';
import { describePage } from '../pages/describe-page.ts';
import { queryDataSource } from '../query/query-data-source.ts';
import { addDataSource } from '../sources/add-data-source.ts';
import { describeDataSource, type DataSource } from '../sources/data-source.ts';
import { updateDataSource } from '../sources/update-data-source.ts';
import { paginate } from './paginate.ts';
import { readNames } from './read-names.ts';

const path = '/v1/data_sources/:data_source_id';

/** https://developers.notion.com/reference/retrieve-a-data-source and its neighbours. */
export const dataSourceRoutes: readonly NotionRoute[] = [
  {
    target: 'data_sources.create',
    method: 'POST',
    path: '/v1/data_sources',
    needs: 'insert_content',
    definition: 'CreateDataSourceParameters',
    writesTo: () => 'data_sources',
    play(world, { body }) {
      const source = addDataSource(world, body);
      return isRefusal(source) ? source : answerSource(world, source);
    },
  },
  {
    target: 'data_sources.retrieve',
    method: 'GET',
    path,
    needs: 'read_content',
    play: (world, { ids }) => withSource(world, ids, (source) => answerSource(world, source)),
  },
  {
    target: 'data_sources.update',
    method: 'PATCH',
    path,
    needs: 'update_content',
    definition: 'UpdateDataSourceParameters',
    writesTo: ({ ids }) => ids['data_source_id'] ?? '',
    play: (world, { ids, body }) =>
      withSource(world, ids, (source) => {
        const updated = updateDataSource(world, source, body);
        return isRefusal(updated) ? updated : answerSource(world, updated);
      }),
  },
  {
    target: 'data_sources.query',
    method: 'POST',
    path: `${path}/query`,
    needs: 'read_content',
    definition: 'QueryDataSourceParameters',
    query: ['filter_properties'],
    play: (world, { ids, body, query }) =>
      withSource(world, ids, (source) => {
        const pages = queryDataSource(world, source, body);
        if (isRefusal(pages)) return pages;
        const only = readNames(query['filter_properties']);
        const describe = (page: (typeof pages)[number]): object => describePage(world, page, only);
        return paginate(pages, body, 'page_or_data_source', describe, ({ id }) => id);
      }),
  },
];

function withSource(
  world: NotionWorld,
  ids: NotionRequest['ids'],
  play: (source: DataSource) => object,
): object {
  const id = ids['data_source_id'] ?? '';
  const source = world.sources.get(id);
  return source === undefined ? refuseUnknown('data source', id) : play(source);
}

function answerSource(world: NotionWorld, source: DataSource): object {
  return describeDataSource(source, world.databases.get(source.databaseId)?.parent ?? {});
}
