import { isRefusal, refuseUnknown } from '../notion-refusal.ts';
import type { NotionRoute } from '../notion-route.ts';
import { addDatabase } from '../sources/add-database.ts';
import { describeDatabase } from '../sources/notion-database.ts';

/** https://developers.notion.com/reference/database-retrieve and its neighbour. */
export const databaseRoutes: readonly NotionRoute[] = [
  {
    target: 'databases.create',
    method: 'POST',
    path: '/v1/databases',
    needs: 'insert_content',
    definition: 'CreateDatabaseParameters',
    writesTo: () => 'databases',
    play(world, { body }) {
      const database = addDatabase(world, body);
      return isRefusal(database) ? database : describeDatabase(database, [...world.sources.values()]);
    },
  },
  {
    target: 'databases.retrieve',
    method: 'GET',
    path: '/v1/databases/:database_id',
    needs: 'read_content',
    play(world, { ids }) {
      const id = ids['database_id'] ?? '';
      const database = world.databases.get(id);
      return database === undefined
        ? refuseUnknown('database', id)
        : describeDatabase(database, [...world.sources.values()]);
    },
  },
];
