import { readParts, type Parts } from '../../web/read-parts.ts';
import { isRefusal, type NotionRefusal } from '../notion-refusal.ts';
import { isInTrash, type NotionWorld } from '../notion-world.ts';
import type { NotionPage } from '../pages/notion-page.ts';
import type { DataSource } from '../sources/data-source.ts';
import { readFilter } from './read-filter.ts';
import { sortPages } from './sort-pages.ts';

/** The pages that a query whose shape is right finds, in its order. What is in the trash is found only when asked for. */
export function queryDataSource(
  world: NotionWorld,
  source: DataSource,
  body: Parts,
): readonly NotionPage[] | NotionRefusal {
  const now = world.clock();
  const test = body['filter'] === undefined ? undefined : readFilter(source, readParts(body['filter']), now);
  if (isRefusal(test)) return test;
  const isWantedTrash = (body['in_trash'] ?? body['archived']) === true;
  if (body['result_type'] === 'data_source') return [];
  const found = [...world.pages.values()].filter(
    (page) =>
      page.dataSourceId === source.id &&
      isInTrash(world, page.id) === isWantedTrash &&
      page.createdMs <= now - world.readQueryLagMs() &&
      (test === undefined || test(page)),
  );
  return sortPages(world, source, found, body['sorts']);
}
