import { readText, type Parts } from '../../web/read-parts.ts';
import { readNotionId } from '../notion-ids.ts';
import { refuseMismatches, refuseNotionBody, refuseUnknown, type NotionRefusal } from '../notion-refusal.ts';
import type { NotionWorld } from '../notion-world.ts';
import type { DataSource } from '../sources/data-source.ts';
import type { NotionParent } from './notion-page.ts';

/** Where a new page goes. */
export interface PagePlace {
  readonly parent: NotionParent;
  /** Where the page is a row of one. */
  readonly source?: DataSource;
}

/** A data source, the database that holds exactly one, a page, or the workspace itself. */
export function readPageParent(world: NotionWorld, body: Parts): PagePlace | NotionRefusal {
  const { parent } = body;
  if (typeof parent !== 'object' || parent === null) {
    return refuseMismatches([{ path: 'body.parent', expected: ['defined'], value: undefined }]);
  }
  if ('data_source_id' in parent) {
    const id = readText(parent.data_source_id);
    return placeIn(world.sources.get(readNotionId(id) ?? id)) ?? refuseUnknown('data source', id);
  }
  if ('database_id' in parent) return readDatabase(world, readText(parent.database_id));
  if (!('page_id' in parent)) return { parent: { type: 'workspace', workspace: true } };
  const asked = readText(parent.page_id);
  const page = world.pages.get(readNotionId(asked) ?? asked);
  return page === undefined
    ? refuseUnknown('page', asked)
    : { parent: { type: 'page_id', page_id: page.id } };
}

function readDatabase(world: NotionWorld, asked: string): PagePlace | NotionRefusal {
  const id = readNotionId(asked) ?? asked;
  const [first, ...others] = [...world.sources.values()].filter(
    ({ databaseId, isInTrash }) => databaseId === id && !isInTrash,
  );
  return others.length > 0
    ? refuseNotionBody('Databases with multiple data sources are not supported in this API version.')
    : (placeIn(first) ?? refuseUnknown('database', asked));
}

function placeIn(source: DataSource | undefined): PagePlace | undefined {
  if (source === undefined) return undefined;
  const { id, databaseId } = source;
  return { parent: { type: 'data_source_id', data_source_id: id, database_id: databaseId }, source };
}
