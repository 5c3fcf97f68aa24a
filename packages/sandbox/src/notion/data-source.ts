import { z } from 'zod';

import { refuseNotionBody, type NotionRefusal } from './notion-refusal.ts';
import { propertyTypeSchema, type PropertyType } from './property-types.ts';

export interface DataSource {
  readonly id: string;
  readonly databaseId: string;
  readonly name: string;
  /** Property types by name. */
  readonly properties: Readonly<Record<string, PropertyType>>;
}

/** A table of meetings as somebody would set one up by hand. */
export const defaultProperties: Readonly<Record<string, PropertyType>> = {
  Name: 'title',
  Date: 'date',
  Duration: 'number',
  Source: 'select',
  Participants: 'multi_select',
  Tags: 'multi_select',
  Status: 'select',
  'Report URL': 'url',
  'Meeting ID': 'rich_text',
};

export const defaultDataSourceId = '5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5c';

const changesSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown()).nullable()),
});

/** Applies the body of an update: properties are added, given another type, or removed by null. */
export function changeDataSource(source: DataSource, body: unknown): DataSource | NotionRefusal {
  const changes = changesSchema.safeParse(body);
  if (!changes.success)
    return refuseNotionBody('body failed validation: body.properties should be an object.');
  const properties = { ...source.properties };
  for (const [name, config] of Object.entries(changes.data.properties)) {
    if (properties[name] === 'title' && config?.['title'] === undefined) {
      return refuseNotionBody('Cannot delete title property or change its type.');
    }
    if (config === null) {
      delete properties[name];
      continue;
    }
    const type = propertyTypeSchema.safeParse(
      Object.keys(config).find((key) => propertyTypeSchema.safeParse(key).success),
    );
    if (!type.success)
      return refuseNotionBody(`body failed validation: body.properties.${name} should name a property type.`);
    properties[name] = type.data;
  }
  return { ...source, properties };
}

/** A data source as Notion answers it. */
export function describeDataSource(source: DataSource): object {
  const title = [
    { type: 'text', text: { content: source.name, link: null }, plain_text: source.name, href: null },
  ];
  return {
    object: 'data_source',
    id: source.id,
    title,
    description: [],
    parent: { type: 'database_id', database_id: source.databaseId },
    database_parent: { type: 'workspace', workspace: true },
    properties: Object.fromEntries(
      Object.entries(source.properties).map(([name, type]) => [
        name,
        { id: propertyId(name, type), name, type, [type]: {} },
      ]),
    ),
    icon: null,
    cover: null,
    archived: false,
    in_trash: false,
    is_inline: false,
    url: `https://www.notion.so/${source.databaseId.replaceAll('-', '')}`,
    public_url: null,
  };
}

/** Notion's ids are short and opaque; the title's is always `title`. */
export function propertyId(name: string, type: PropertyType): string {
  return type === 'title'
    ? 'title'
    : encodeURIComponent(Buffer.from(name).toString('base64url').slice(0, 12));
}
