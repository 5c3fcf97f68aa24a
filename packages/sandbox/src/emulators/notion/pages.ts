import { toObject, toObjects, toText, type LooseObject } from '@aftermeet/pages';

import { insertBlocks, pageAsParent, planBlocks, removeChildren } from './blocks.ts';
import {
  isRefusal,
  refuseField,
  refuseTrash,
  refuseUnknown,
  refuseUnsupported,
  type NotionRefusal,
} from './errors.ts';
import { emptyProperties, setProperties } from './property-values.ts';
import { toPlainText } from './rich-text.ts';
import type { NotionRoute } from './route.ts';
import {
  currentTime,
  isInTrash,
  toNotionId,
  touch,
  urlOf,
  type DataSource,
  type NotionPage,
  type NotionState,
} from './state.ts';
import { botReference } from './users.ts';

/** https://developers.notion.com/reference/page */
export const pageRoutes: readonly NotionRoute[] = [
  {
    target: 'pages.create',
    method: 'POST',
    path: '/v1/pages',
    needs: 'insert_content',
    definition: 'CreatePageParameters',
    handle(state, { body }) {
      const page = createPage(state, body);
      return isRefusal(page) ? page : describePage(state, page);
    },
  },
  {
    target: 'pages.retrieve',
    method: 'GET',
    path: '/v1/pages/:page_id',
    needs: 'read_content',
    handle(state, { id }) {
      const page = state.pages.get(id);
      return page === undefined ? refuseUnknown('page', id) : describePage(state, page);
    },
  },
  {
    target: 'pages.update',
    method: 'PATCH',
    path: '/v1/pages/:page_id',
    needs: 'update_content',
    definition: 'UpdatePageParameters',
    handle(state, { id, body }) {
      const page = state.pages.get(id);
      if (page === undefined) return refuseUnknown('page', id);
      const updated = updatePage(state, page, body);
      return isRefusal(updated) ? updated : describePage(state, updated);
    },
  },
];

/** https://developers.notion.com/reference/page */
export function describePage(state: NotionState, page: NotionPage): object {
  const isGone = isInTrash(state, page.id);
  const source = state.sources.get(page.dataSourceId);
  const properties = (source?.properties ?? []).map(({ id, name, type }) => {
    return [name, { id, type, [type]: page.properties[name]?.value }];
  });
  return {
    object: 'page',
    id: page.id,
    created_time: page.createdTime,
    last_edited_time: page.lastEditedTime,
    created_by: botReference,
    last_edited_by: botReference,
    cover: null,
    icon: null,
    parent: {
      type: 'data_source_id',
      data_source_id: page.dataSourceId,
      database_id: source?.databaseId,
    },
    archived: isGone,
    in_trash: isGone,
    is_archived: isGone,
    is_locked: false,
    properties: Object.fromEntries(properties),
    url: urlOf(page.id),
    public_url: null,
  };
}

/** Creates a page from a body that fits the schema: completely or not at all. */
function createPage(state: NotionState, body: LooseObject): NotionPage | NotionRefusal {
  const unsupported = findUnsupported(body, ['parent', 'properties', 'children']);
  if (unsupported !== undefined) return refuseUnsupported(`pages.create with ${unsupported}`);
  const source = findParent(state, body['parent']);
  if (isRefusal(source)) return source;
  const parsed = setProperties(state, toObject(body['properties']), source, emptyProperties(source));
  if (isRefusal(parsed)) return parsed;
  const blocks = planBlocks(body['children'], pageAsParent);
  if (isRefusal(blocks)) return blocks;
  const createdTime = currentTime(state);
  const page: NotionPage = {
    id: state.makeId(),
    dataSourceId: source.id,
    createdTime,
    lastEditedTime: createdTime,
    title: titleOf(parsed.properties),
    properties: parsed.properties,
    children: toObjects(body['children']),
    isInTrash: false,
  };
  state.sources.set(source.id, parsed.source);
  state.pages.set(page.id, page);
  insertBlocks(state, page.id, blocks);
  dropOldPages(state);
  state.log.add(page);
  return page;
}

function findUnsupported(body: LooseObject, known: readonly string[]): string | undefined {
  return Object.keys(body).find((key) => !known.includes(key));
}

function findParent({ sources }: NotionState, parent: unknown): DataSource | NotionRefusal {
  if (typeof parent !== 'object' || parent === null) {
    return refuseField('body.parent');
  }
  if (!('data_source_id' in parent)) return refuseUnsupported('pages outside of a data source');
  const asked = toText(parent.data_source_id);
  return sources.get(toNotionId(asked) ?? asked) ?? refuseUnknown('data source', asked);
}

function titleOf(properties: NotionPage['properties']): string {
  return toPlainText(Object.values(properties).find(({ type }) => type === 'title')?.value);
}

const maxPages = 2000;

/** Drops the oldest pages when there are too many. */
function dropOldPages(state: NotionState): void {
  for (const id of state.pages.keys()) {
    if (state.pages.size <= maxPages) return;
    removeChildren(state, id);
    state.pages.delete(id);
  }
}

/** Changes a page by a body that fits the schema: completely or not at all. */
function updatePage(state: NotionState, page: NotionPage, body: LooseObject): NotionPage | NotionRefusal {
  const known = ['properties', 'in_trash', 'archived', 'erase_content'];
  const unsupported = findUnsupported(body, known);
  if (unsupported !== undefined) return refuseUnsupported(`pages.update with ${unsupported}`);
  const wanted = body['in_trash'] ?? body['archived'];
  if (page.isInTrash && wanted !== false) return refuseTrash();
  const source = state.sources.get(page.dataSourceId);
  if (source === undefined) return refuseUnknown('data source', page.dataSourceId);
  const parsed = setProperties(state, toObject(body['properties']), source, page.properties);
  if (isRefusal(parsed)) return parsed;
  const { properties } = parsed;
  state.sources.set(source.id, parsed.source);
  if (body['erase_content'] === true) removeChildren(state, page.id);
  state.pages.set(page.id, {
    ...page,
    properties,
    title: titleOf(properties),
    isInTrash: typeof wanted === 'boolean' ? wanted : page.isInTrash,
  });
  touch(state, page.id);
  return state.pages.get(page.id) ?? page;
}
