import type { NotionRoute } from '../notion-route.ts';
import { blockRoutes } from './block-routes.ts';
import { dataSourceRoutes } from './data-source-routes.ts';
import { databaseRoutes } from './database-routes.ts';
import { fileUploadRoutes } from './file-upload-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { searchRoute } from './search-route.ts';
import { userRoutes } from './user-routes.ts';

/** Every method that is played. */
export const notionRoutes: readonly NotionRoute[] = [
  ...pageRoutes,
  ...blockRoutes,
  ...dataSourceRoutes,
  ...databaseRoutes,
  ...userRoutes,
  searchRoute,
  ...fileUploadRoutes,
];
