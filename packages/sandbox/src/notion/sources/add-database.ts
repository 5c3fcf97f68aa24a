import { readParts, readText, type Parts } from '../../web/read-parts.ts';
import { readNotionId } from '../notion-ids.ts';
import { isRefusal, refuseTrash, refuseUnknown, type NotionRefusal } from '../notion-refusal.ts';
import { isInTrash, listInsides, tellTime, touch, type NotionWorld } from '../notion-world.ts';
import type { NotionParent } from '../pages/notion-page.ts';
import { makeDataSource, readTitleText } from './add-data-source.ts';
import type { NotionDatabase } from './notion-database.ts';

/** Makes a database with its first data source, from the body of a request whose shape is right. */
export function addDatabase(world: NotionWorld, body: Parts): NotionDatabase | NotionRefusal {
  const parent = readPlace(world, readParts(body['parent']));
  if (isRefusal(parent)) return parent;
  const title = readTitleText(body['title']);
  const createdTime = tellTime(world);
  const database = { id: world.makeId(), title, parent, createdTime, lastEditedTime: createdTime };
  // Without columns Notion makes the one that has to be.
  const wanted = readParts(body['initial_data_source'])['properties'] ?? { Name: { title: {} } };
  const named = { id: world.makeId(), databaseId: database.id, name: title };
  const source = makeDataSource(world, named, readParts(wanted));
  if (isRefusal(source)) return source;
  world.databases.set(database.id, database);
  if (parent.type === 'page_id') {
    world.insides.set(parent.page_id, [...listInsides(world, parent.page_id), database.id]);
    touch(world, parent.page_id);
  }
  return database;
}

function readPlace(world: NotionWorld, parent: Parts): NotionParent | NotionRefusal {
  if (parent['page_id'] === undefined) return { type: 'workspace', workspace: true };
  const asked = readText(parent['page_id']);
  const id = readNotionId(asked) ?? asked;
  if (!world.pages.has(id)) return refuseUnknown('page', asked);
  return isInTrash(world, id) ? refuseTrash() : { type: 'page_id', page_id: id };
}
