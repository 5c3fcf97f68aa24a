import { createHash } from 'node:crypto';

import type { Parts } from '../../web/read-parts.ts';
import { describeUrl } from '../notion-ids.ts';
import { writeNotionText } from '../notion-text.ts';
import { botReference } from '../notion-users.ts';
import type { PropertyType } from './property-types.ts';

/** One column of a data source. */
export interface SourceProperty {
  /** Short and opaque, and the same after a renaming; the title's is always `title`. */
  readonly id: string;
  readonly name: string;
  readonly type: PropertyType;
  /** What answers tell about it under the name of its type. */
  readonly config: Parts;
}

export interface DataSource {
  readonly id: string;
  readonly databaseId: string;
  readonly name: string;
  readonly properties: readonly SourceProperty[];
  /** ISO 8601, cut to the minute. */
  readonly createdTime: string;
  readonly lastEditedTime: string;
  readonly isInTrash: boolean;
  readonly icon: unknown;
}

/** A property by its name or its id. */
export function findProperty(source: DataSource, key: string): SourceProperty | undefined {
  return (
    source.properties.find(({ name }) => name === key) ??
    source.properties.find(({ id }) => id === key || decodeURIComponent(id) === key)
  );
}

/** An id that no property of the list has. */
export function makePropertyId(
  name: string,
  type: PropertyType,
  others: readonly SourceProperty[],
  attempt = 0,
): string {
  if (type === 'title') return 'title';
  const id = createHash('sha256')
    .update(`${String(attempt)}${name}`)
    .digest('base64url')
    .slice(0, 5);
  return others.some((other) => other.id === id) ? makePropertyId(name, type, others, attempt + 1) : id;
}

/** As an answer carries it: https://developers.notion.com/reference/data-source */
export function describeDataSource(source: DataSource, databaseParent: object): object {
  return {
    object: 'data_source',
    id: source.id,
    title: writeNotionText(source.name),
    description: [],
    parent: { type: 'database_id', database_id: source.databaseId },
    database_parent: databaseParent,
    created_time: source.createdTime,
    last_edited_time: source.lastEditedTime,
    created_by: botReference,
    last_edited_by: botReference,
    properties: Object.fromEntries(
      source.properties.map(({ id, name, type, config }) => [
        name,
        { id, name, description: null, type, [type]: config },
      ]),
    ),
    icon: source.icon,
    cover: null,
    archived: source.isInTrash,
    in_trash: source.isInTrash,
    is_inline: false,
    url: describeUrl(source.databaseId),
    public_url: null,
  };
}
