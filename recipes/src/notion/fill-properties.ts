import type { CreatePageParameters } from '@notionhq/client';

import { cutText, splitText } from '../text/cut-text.ts';
import type { Column } from './match-properties.ts';
import type { FieldValue } from './notion-fields.ts';
import { notionLimits, type NotionPage } from './notion-page.ts';
import { keyProperty, rowProperty } from './read-data-source.ts';

type PageProperties = NonNullable<CreatePageParameters['properties']>;
type PropertyValue = PageProperties[string];

/** What was looked up in Notion for a page: ids of people and pages, by fact. */
export type References = ReadonlyMap<string, string>;

/** The properties that a page fills in, by what its data source has. What is not known is not touched. */
export function fillProperties(
  page: NotionPage,
  columns: readonly Column[],
  references: References,
  isNew: boolean,
): PageProperties {
  const filled: Record<string, PropertyValue> = {};
  for (const column of columns) {
    if (column.isFirstOnly && !isNew) continue;
    const value: FieldValue | undefined =
      column.fact === 'title' ? { kind: 'text', text: page.title } : page.fields[column.fact];
    const written = value && writeValue(column, value, references.get(column.fact));
    if (written !== undefined) filled[column.name] = written;
  }
  return filled;
}

/** The properties by which a page is found again. */
export function fillKeys(key: string, rowKey?: string): PageProperties {
  return {
    [keyProperty]: { rich_text: writeText(key) },
    ...(rowKey === undefined ? {} : { [rowProperty]: { rich_text: writeText(rowKey) } }),
  };
}

function writeValue({ type }: Column, value: FieldValue, reference?: string): PropertyValue | undefined {
  switch (type) {
    case 'title':
      return { title: writeText(sayValue(value)) };
    case 'rich_text':
      return { rich_text: writeText(sayValue(value)) };
    case 'date':
      if (value.kind !== 'date' || value.start === undefined) return undefined;
      return { date: { start: value.start, ...(value.end === undefined ? {} : { end: value.end }) } };
    case 'number':
      return value.kind === 'number' && Number.isFinite(value.number) ? { number: value.number } : undefined;
    case 'select': {
      const [name] = nameOptions(value);
      return name === undefined ? undefined : { select: { name } };
    }
    case 'status': {
      const [name] = nameOptions(value);
      return name === undefined ? undefined : { status: { name } };
    }
    case 'multi_select':
      return { multi_select: nameOptions(value).map((name) => ({ name })) };
    case 'url': {
      const url = value.kind === 'url' || value.kind === 'meeting' ? value.url : undefined;
      return url === undefined ? undefined : { url };
    }
    case 'people':
      return reference === undefined ? undefined : { people: [{ id: reference }] };
    case 'relation':
      return reference === undefined ? undefined : { relation: [{ id: reference }] };
    default:
      return type satisfies never;
  }
}

function sayValue(value: FieldValue): string {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'date':
      return value.words;
    case 'number':
      return String(value.number);
    case 'names':
      return value.names.join(', ');
    case 'url':
      return value.url;
    case 'person':
      return value.name;
    case 'meeting':
      return value.title;
    default:
      return value satisfies never;
  }
}

/** As options are named: at most 100, each once, without commas and of at most 100 characters. */
function nameOptions(value: FieldValue): readonly string[] {
  const names = value.kind === 'names' ? value.names : [sayValue(value)];
  const tidy = names.map((name) => cutText(name.replaceAll(/[\s,]+/g, ' ').trim(), notionLimits.option));
  return [...new Set(tidy.filter((name) => name !== ''))].slice(0, notionLimits.items);
}

function writeText(
  content: string,
): { readonly type: 'text'; readonly text: { readonly content: string } }[] {
  return splitText(content, notionLimits.text)
    .slice(0, notionLimits.items)
    .map((piece) => ({ type: 'text', text: { content: piece } }));
}
