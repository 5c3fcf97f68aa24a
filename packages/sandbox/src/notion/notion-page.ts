import type { Parts } from '../web/read-parts.ts';
import { propertyId, type DataSource } from './data-source.ts';
import { refuseNotionBody, type NotionRefusal } from './notion-refusal.ts';
import { describeIssue, notionTextSchema, readPlainText } from './notion-text.ts';
import { emptyPropertyValue, readPropertyValue, type PropertyType } from './property-types.ts';

export interface NotionProperty {
  readonly type: PropertyType;
  /** In the shape that Notion answers for this type. */
  readonly value: unknown;
}

/** One page as the stand-in keeps it. */
export interface NotionPage {
  readonly id: string;
  readonly dataSourceId: string;
  /** ISO 8601, cut to the minute as Notion does. */
  readonly createdTime: string;
  readonly title: string;
  /** Every property of the data source, by name. */
  readonly properties: Readonly<Record<string, NotionProperty>>;
  /** The blocks as they were sent. */
  readonly children: readonly Parts[];
}

/** Reads the properties of a new page against the data source's own. */
export function readPageProperties(
  given: Parts,
  source: DataSource,
): Readonly<Record<string, NotionProperty>> | NotionRefusal {
  const properties: Record<string, NotionProperty> = Object.fromEntries(
    Object.entries(source.properties).map(([name, type]) => [
      name,
      { type, value: emptyPropertyValue(type) },
    ]),
  );
  for (const [key, sent] of Object.entries(given)) {
    const found = Object.entries(source.properties).find(
      ([name, type]) => name === key || propertyId(name, type) === key,
    );
    if (found === undefined) return refuseNotionBody(`${key} is not a property that exists.`);
    const [name, type] = found;
    const value =
      typeof sent === 'object' && sent !== null && type in sent
        ? { sent: Reflect.get(sent, type) as unknown }
        : undefined;
    if (value === undefined) return refuseNotionBody(`${name} is expected to be ${type}.`);
    const reading = readPropertyValue(type, value.sent);
    const issue = reading.error?.issues[0];
    if (issue !== undefined) return refuseNotionBody(describeIssue(`body.properties.${name}.${type}`, issue));
    properties[name] = { type, value: reading.data };
  }
  return properties;
}

/** The text of a title or rich text property; '' for any other. */
export function readPropertyText(property: NotionProperty | undefined): string {
  const text = notionTextSchema.safeParse(property?.value);
  return text.success ? readPlainText(text.data) : '';
}

/** A page as Notion answers it. */
export function describePage(page: NotionPage, source: DataSource): object {
  const bot = { object: 'user', id: '0b07a000-0000-4000-8000-000000000001' };
  return {
    object: 'page',
    id: page.id,
    created_time: page.createdTime,
    last_edited_time: page.createdTime,
    created_by: bot,
    last_edited_by: bot,
    cover: null,
    icon: null,
    parent: { type: 'data_source_id', data_source_id: source.id, database_id: source.databaseId },
    archived: false,
    in_trash: false,
    is_locked: false,
    properties: Object.fromEntries(
      Object.entries(page.properties).map(([name, { type, value }]) => [
        name,
        { id: propertyId(name, type), type, [type]: value },
      ]),
    ),
    url: `https://www.notion.so/${page.id.replaceAll('-', '')}`,
    public_url: null,
  };
}
