import { readParts, type Parts } from '../../web/read-parts.ts';
import { isRefusal, refuseTrash, refuseUnplayed, type NotionRefusal } from '../notion-refusal.ts';
import { noteEdit, tellTime, type NotionWorld } from '../notion-world.ts';
import type { NotionPage } from '../pages/notion-page.ts';
import { readPictures } from '../pages/read-pictures.ts';
import { readTitleText } from './add-data-source.ts';
import { changeProperties } from './change-properties.ts';
import type { DataSource } from './data-source.ts';
import { emptyPropertyValue, isComputed } from './property-types.ts';
import { makeSetUpTools } from './set-up-tools.ts';

/** Changes a data source by the body of a request whose shape is right; its pages follow. */
export function updateDataSource(
  world: NotionWorld,
  source: DataSource,
  body: Parts,
): DataSource | NotionRefusal {
  if (body['parent'] !== undefined) return refuseUnplayed('data sources that move');
  const wanted = body['in_trash'] ?? body['archived'];
  if (source.isInTrash && wanted !== false) return refuseTrash();
  const properties = changeProperties(source, readParts(body['properties']), makeSetUpTools(world));
  if (isRefusal(properties)) return properties;
  const pictures = readPictures(world, { icon: body['icon'] });
  if (isRefusal(pictures)) return pictures;
  const updated: DataSource = {
    ...source,
    ...pictures,
    properties,
    name: body['title'] === undefined ? source.name : readTitleText(body['title']),
    isInTrash: typeof wanted === 'boolean' ? wanted : source.isInTrash,
    lastEditedTime: tellTime(world),
  };
  world.sources.set(source.id, updated);
  noteEdit(world, source.id);
  for (const page of world.pages.values()) {
    if (page.dataSourceId === source.id) world.pages.set(page.id, follow(page, source, updated));
  }
  return updated;
}

/** A value stays with its column when that is renamed, and is gone when it has another type. */
function follow(page: NotionPage, before: DataSource, after: DataSource): NotionPage {
  const properties = after.properties
    .filter(({ type }) => !isComputed(type))
    .map(({ id, name, type }) => {
      const oldName = before.properties.find((old) => old.id === id && old.type === type)?.name;
      const value = oldName === undefined ? undefined : page.properties[oldName]?.value;
      return [name, { type, value: value === undefined ? emptyPropertyValue(type) : value }] as const;
    });
  return { ...page, properties: Object.fromEntries(properties) };
}
