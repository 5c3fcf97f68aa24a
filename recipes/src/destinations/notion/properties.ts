import type { CreatePageParameters } from '@notionhq/client';

import { joinOr } from '../../report/clean-text.ts';
import { cutText, splitText } from '../../report/clean-text.ts';
import { type FieldValue, type FieldValues, notionLimits, type NotionPage } from './page.ts';

/** The property that holds the effect's key, by which a page of unknown outcome is found. */
export const keyProperty = 'Delivery key';

/** The property by which the row of a task is found. */
export const rowProperty = 'Task key';

/** The property types we fill (developers.notion.com, Data source properties). */
type PropertyType =
  | 'title'
  | 'rich_text'
  | 'date'
  | 'number'
  | 'checkbox'
  | 'select'
  | 'status'
  | 'multi_select'
  | 'url'
  | 'people'
  | 'relation';

interface FactRule {
  /** The default property, if the data source has it. Absent: the fact must be mapped. */
  readonly property?: string;
  readonly types: readonly PropertyType[];
  /** Set when the page is created and never changed: from then on it belongs to its readers. */
  readonly isInitialOnly?: true;
}

const textTypes: readonly PropertyType[] = ['rich_text', 'select', 'multi_select'];

/** The facts of a meeting's page and of a task's row. The title goes to the property of that type. */
export const factRules: Readonly<Record<NotionPage['kind'], Readonly<Record<string, FactRule>>>> = {
  meeting: {
    title: { types: ['title'] },
    date: { property: 'Date', types: ['date'] },
    duration: { property: 'Duration', types: ['number'] },
    source: { property: 'Source', types: textTypes },
    participants: { property: 'Participants', types: ['multi_select', 'rich_text'] },
    tags: { property: 'Tags', types: ['multi_select', 'rich_text'] },
    template: { types: textTypes },
    summary: { types: ['rich_text'] },
    meetingId: { property: 'Meeting ID', types: ['rich_text'] },
    reportUrl: { property: 'Report URL', types: ['url', 'rich_text'] },
    status: { property: 'Status', types: ['status', 'select'], isInitialOnly: true },
  },
  task: {
    title: { types: ['title'] },
    owner: { property: 'Owner', types: ['people', 'rich_text', 'select', 'multi_select'] },
    /** Also of an owner who is not in the workspace, whom a property of people cannot hold. */
    ownerName: { property: 'Owner name', types: textTypes },
    due: { property: 'Due', types: ['date', 'rich_text'] },
    meeting: { property: 'Meeting', types: ['relation', 'url', 'rich_text'] },
    status: { property: 'Status', types: ['status', 'select'], isInitialOnly: true },
  },
};

/** The types that hold a value whose property is named by a recipe of one's own. */
const typesByKind: Readonly<Record<FieldValue['kind'], readonly PropertyType[]>> = {
  text: ['rich_text', 'select', 'status', 'multi_select'],
  date: ['date', 'rich_text'],
  number: ['number', 'rich_text'],
  checkbox: ['checkbox'],
  names: ['multi_select', 'rich_text'],
  url: ['url', 'rich_text'],
  person: [],
  meeting: [],
};

/** A property as the data source has it. */
export interface PropertyShape {
  readonly name: string;
  readonly type: string;
  /** Names of the options of a status. */
  readonly options?: readonly string[];
  /** Id of the data source that a relation points to. */
  readonly relatedSource?: string;
}

/** The property that one fact goes to. */
export interface Column extends PropertyShape {
  readonly fact: string;
  readonly type: PropertyType;
  readonly isInitialOnly: boolean;
}

/** A mapped property that cannot be filled. */
export interface PropertyProblem {
  readonly property: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * Finds the property for each fact: the mapped one, which must exist and have a type that holds the fact, or else the
 * default one if it does. Pure.
 */
export function matchProperties(
  { kind, mapping, properties: own = {} }: Pick<NotionPage, 'kind' | 'mapping' | 'properties'>,
  properties: readonly PropertyShape[],
): { readonly columns: readonly Column[]; readonly problems: readonly PropertyProblem[] } {
  const columns: Column[] = [];
  const problems: PropertyProblem[] = [];
  const assign = (fact: string, { types, isInitialOnly }: FactRule, found: PropertyShape): boolean => {
    const type = types.find((one) => one === found.type);
    const isKey = found.name === keyProperty || found.name === rowProperty;
    if (type === undefined || isKey || columns.some(({ name }) => name === found.name)) return false;
    columns.push({ ...found, type, fact, isInitialOnly: isInitialOnly === true });
    return true;
  };
  const assignNamed = (fact: string, rule: FactRule, property: string): void => {
    const found = findProperty(properties, property);
    if (found !== undefined && assign(fact, rule, found)) return;
    const isUsed = found !== undefined && rule.types.some((type) => type === found.type);
    const state = isUsed ? 'used for something else' : `of type ${found?.type}`;
    problems.push({
      property,
      found: found === undefined ? 'not there' : state,
      expected: `a property of type ${joinOr(rule.types)}, for ${fact}`,
    });
  };
  const rules = Object.entries(factRules[kind]);
  // Named properties first, so that no default takes them.
  for (const [property, value] of Object.entries(own)) {
    if (value !== undefined) assignNamed(ownFact(property), { types: typesByKind[value.kind] }, property);
  }
  for (const [fact, rule] of rules) {
    const property = mapping[fact];
    if (typeof property === 'string') assignNamed(fact, rule, property);
  }
  for (const [fact, rule] of rules) {
    if (mapping[fact] !== undefined && fact !== 'title') continue;
    if (columns.some((column) => column.fact === fact)) continue;
    const found =
      fact === 'title'
        ? properties.find(({ type }) => type === 'title')
        : findProperty(properties, rule.property ?? '');
    if (found !== undefined) assign(fact, rule, found);
  }
  return { columns, problems };
}

/** The fact of a property that a recipe of one's own names. */
function ownFact(property: string): string {
  return `the value of "${property}"`;
}

function findProperty(properties: readonly PropertyShape[], wanted: string): PropertyShape | undefined {
  return (
    properties.find(({ name }) => name === wanted) ??
    properties.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  );
}

export function explainProblem({ property, found, expected }: PropertyProblem): string {
  return `the Notion property "${property}" is ${found}; expected ${expected}: change it in the data source, or in the option properties`;
}

type PageProperties = NonNullable<CreatePageParameters['properties']>;
type PropertyValue = PageProperties[string];

/** Ids of people and pages that were looked up in Notion, by fact. */
export type References = ReadonlyMap<string, string>;

/** The property values of a page. A property whose value is not known is left alone. */
export function fillProperties(
  page: NotionPage,
  columns: readonly Column[],
  references: References,
  isNew: boolean,
): PageProperties {
  const filled: Record<string, PropertyValue> = {};
  const own = Object.entries(page.properties ?? {}).map(([property, value]) => [ownFact(property), value]);
  const values: FieldValues = { ...page.fields, ...Object.fromEntries(own) };
  for (const column of columns) {
    if (column.isInitialOnly && !isNew) continue;
    const value: FieldValue | undefined =
      column.fact === 'title' ? { kind: 'text', text: page.title } : values[column.fact];
    const written = value && toPropertyValue(column, value, references.get(column.fact));
    if (written !== undefined) filled[column.name] = written;
  }
  return filled;
}

/** The properties by which a page is found again. */
export function fillKeys(key: string, rowKey?: string): PageProperties {
  return {
    [keyProperty]: { rich_text: toRichText(key) },
    ...(rowKey === undefined ? {} : { [rowProperty]: { rich_text: toRichText(rowKey) } }),
  };
}

function toPropertyValue(
  { type }: Column,
  value: FieldValue,
  reference: string | undefined,
): PropertyValue | undefined {
  switch (type) {
    case 'title':
      return { title: toRichText(toText(value)) };
    case 'rich_text':
      return { rich_text: toRichText(toText(value)) };
    case 'date':
      if (value.kind !== 'date' || value.start === undefined) return undefined;
      return { date: { start: value.start, ...(value.end === undefined ? {} : { end: value.end }) } };
    case 'number':
      return value.kind === 'number' && Number.isFinite(value.number) ? { number: value.number } : undefined;
    case 'checkbox':
      return value.kind === 'checkbox' ? { checkbox: value.isChecked } : undefined;
    case 'select': {
      const [name] = toOptions(value);
      return name === undefined ? undefined : { select: { name } };
    }
    case 'status': {
      const [name] = toOptions(value);
      return name === undefined ? undefined : { status: { name } };
    }
    case 'multi_select':
      return { multi_select: toOptions(value).map((name) => ({ name })) };
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

function toText(value: FieldValue): string {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'date':
      return value.words;
    case 'number':
      return String(value.number);
    case 'checkbox':
      return value.isChecked ? '☑' : '☐';
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

/** Names as Notion takes them for options: at most 100, each once, without commas, at most 100 characters long. */
function toOptions(value: FieldValue): readonly string[] {
  const names = value.kind === 'names' ? value.names : [toText(value)];
  const tidy = names.map((name) => cutText(name.replaceAll(/[\s,]+/g, ' ').trim(), notionLimits.option));
  return [...new Set(tidy.filter((name) => name !== ''))].slice(0, notionLimits.items);
}

function toRichText(text: string): { readonly type: 'text'; readonly text: { readonly content: string } }[] {
  return splitText(text, notionLimits.text)
    .slice(0, notionLimits.items)
    .map((content) => ({ type: 'text', text: { content } }));
}
