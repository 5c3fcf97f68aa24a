import { readParts, readText, type Parts } from '../../web/read-parts.ts';
import { readNotionId } from '../notion-ids.ts';
import { isRefusal, refuseUnknown, type NotionRefusal } from '../notion-refusal.ts';
import { readNotionText, readPlainText } from '../notion-text.ts';
import { noteEdit, tellTime, type NotionWorld } from '../notion-world.ts';
import { changeProperties } from './change-properties.ts';
import type { DataSource } from './data-source.ts';
import { makeSetUpTools } from './set-up-tools.ts';

/** Makes a data source in a database, from the body of a request whose shape is right. */
export function addDataSource(world: NotionWorld, body: Parts): DataSource | NotionRefusal {
  const asked = readText(readParts(body['parent'])['database_id']);
  const databaseId = readNotionId(asked) ?? asked;
  return world.databases.has(databaseId)
    ? makeDataSource(
        world,
        { id: world.makeId(), databaseId, name: readTitleText(body['title']) },
        readParts(body['properties']),
      )
    : refuseUnknown('database', asked);
}

export function makeDataSource(
  world: NotionWorld,
  named: Pick<DataSource, 'id' | 'databaseId' | 'name'>,
  wanted: Parts,
): DataSource | NotionRefusal {
  const createdTime = tellTime(world);
  const empty: DataSource = {
    ...named,
    properties: [],
    createdTime,
    lastEditedTime: createdTime,
    isInTrash: false,
    icon: null,
  };
  const properties = changeProperties(empty, wanted, makeSetUpTools(world));
  if (isRefusal(properties)) return properties;
  const source = { ...empty, properties };
  world.sources.set(source.id, source);
  noteEdit(world, source.id);
  return source;
}

/** The letters of a title that a request carries. */
export function readTitleText(sent: unknown): string {
  return readPlainText(readNotionText(sent, () => ''));
}
