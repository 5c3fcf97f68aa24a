import { toObject, toObjects, toText, type LooseObject } from '@aftermeet/pages';

import { isRefusal, refuseBody, refuseField, refuseUnknown, type NotionRefusal } from './errors.ts';
import { toRichText } from './rich-text.ts';
import {
  emptyValueOf,
  toNotionId,
  type DataSource,
  type NotionProperty,
  type NotionState,
  type SourceProperty,
} from './state.ts';
import { describeUser } from './users.ts';

type PageProperties = Readonly<Record<string, NotionProperty>>;

/** The properties of a page that sets none. */
export function emptyProperties(source: DataSource): PageProperties {
  return Object.fromEntries(
    source.properties.map(({ name, type }) => [name, { type, value: emptyValueOf(type) }]),
  );
}

/** A property by its name or its id. */
export function findProperty(properties: readonly SourceProperty[], key: string): SourceProperty | undefined {
  return (
    properties.find(({ name }) => name === key) ??
    properties.find(({ id }) => id === key || decodeURIComponent(id) === key)
  );
}

/** The properties of a page after a request; those that it does not name stay as `before`. The data source gets new options. */
export function setProperties(
  state: NotionState,
  sent: LooseObject,
  source: DataSource,
  before: PageProperties,
): { readonly properties: PageProperties; readonly source: DataSource } | NotionRefusal {
  const values = new Map(Object.entries(before));
  let { properties } = source;
  for (const [key, given] of Object.entries(sent)) {
    const property = findProperty(properties, key);
    if (property === undefined) return refuseBody(`${key} is not a property that exists.`);
    const { name, type } = property;
    const parts = toObject(given);
    if (!Object.hasOwn(parts, type)) return refuseBody(`${name} is expected to be ${type}.`);
    const parsed = parseValue(state, property, parts[type], `body.properties.${key}`);
    if (isRefusal(parsed)) return parsed;
    values.set(name, { type, value: parsed.value });
    properties = properties.map((known) => (known === property ? parsed.property : known));
  }
  return { properties: Object.fromEntries(values), source: { ...source, properties } };
}

/** A value in the shape of answers, and the property with its new options. */
interface ParsedValue {
  readonly value: unknown;
  readonly property: SourceProperty;
}

/** Parses a value that fits the schema. `path` is its place in the request. */
function parseValue(
  state: NotionState,
  property: SourceProperty,
  sent: unknown,
  path: string,
): ParsedValue | NotionRefusal {
  switch (property.type) {
    case 'title':
    case 'rich_text':
      return { value: toRichText(sent), property };
    case 'select':
    case 'status':
      return sent === null ? { value: null, property } : pickOption(state, property, toObject(sent));
    case 'multi_select':
      return pickOptions(state, property, toObjects(sent));
    case 'date':
      return checkDate(sent, path) ?? { value: sent === null ? null : describeDate(sent), property };
    case 'people':
      return parseAll(property, sent, (person) => findPerson(state, person));
    case 'relation':
      return parseAll(property, sent, (page) => findRelated(state, property, page));
    case 'number':
    case 'checkbox':
    case 'url':
      return { value: sent, property };
    default:
      return property.type satisfies never;
  }
}

function parseAll(
  property: SourceProperty,
  sent: unknown,
  parse: (item: LooseObject) => object | NotionRefusal,
): ParsedValue | NotionRefusal {
  const values = toObjects(sent).map(parse);
  return values.find(isRefusal) ?? { value: values, property };
}

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

function checkDate(sent: unknown, path: string): NotionRefusal | undefined {
  for (const key of ['start', 'end']) {
    const value = toObject(sent)[key];
    if (typeof value !== 'string' || (isoDate.test(value) && !Number.isNaN(Date.parse(value)))) continue;
    return refuseField(`${path}.date.${key}`);
  }
  return undefined;
}

function describeDate(sent: unknown): object {
  const { start, end = null, time_zone: zone = null } = toObject(sent);
  return { start, end, time_zone: zone };
}

function findPerson({ users }: NotionState, person: LooseObject): object | NotionRefusal {
  const asked = toText(person['id']);
  const user = users.find(({ id }) => id === toNotionId(asked));
  return user === undefined ? refuseUnknown('user', asked) : describeUser(user);
}

/** A page of the data source that the relation points to. */
function findRelated(
  { pages }: NotionState,
  { config }: SourceProperty,
  page: LooseObject,
): object | NotionRefusal {
  const asked = toText(page['id']);
  const id = toNotionId(asked) ?? asked;
  const isThere = pages.get(id)?.dataSourceId === config['data_source_id'];
  return isThere ? { id } : refuseUnknown('page', asked);
}

/** An option of a select, multi-select or status property. */
export interface PropertyOption {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

function listOptions(config: LooseObject): readonly PropertyOption[] {
  return toObjects(config['options']).map(({ id, name, color, description }) => ({
    id: toText(id),
    name: toText(name),
    color: toText(color),
    description: typeof description === 'string' ? description : null,
  }));
}

/** An option by the id or the name that a request gives. */
function findOption(options: readonly PropertyOption[], given: LooseObject): PropertyOption | undefined {
  return options.find(({ id, name }) =>
    given['id'] === undefined ? name === given['name'] : id === given['id'],
  );
}

const colors = ['default', 'gray', 'brown', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'red'];

/** Notion picks at random; here neighbours differ. */
export function pickColor(index: number): string {
  return colors[index % colors.length] ?? 'default';
}

/**
 * The option that a request names. A select adds an unknown one; a status takes only existing ones; the name of an
 * option has no comma.
 */
function pickOption(
  { makeId }: NotionState,
  property: SourceProperty,
  given: LooseObject,
): ParsedValue | NotionRefusal {
  const { type, config } = property;
  const options = listOptions(config);
  const known = findOption(options, given);
  if (known !== undefined) {
    const { description: _omitted, ...value } = known;
    return { value, property };
  }
  const name = toText(given['name']);
  if (type === 'status' || name === '') {
    const asked = name === '' ? toText(given['id']) : name;
    const label = type === 'status' ? 'Status' : 'Select';
    return refuseBody(`Invalid ${type} option. ${label} option "${asked}" does not exist".`);
  }
  if (name.includes(',')) return refuseBody(`Invalid ${type} option, commas not allowed: ${name}`);
  const value = { id: makeId(), name, color: toText(given['color']) || pickColor(options.length) };
  const grown = { ...config, options: [...options, { ...value, description: null }] };
  return { value, property: { ...property, config: grown } };
}

/** Several options; one that is named twice counts once. */
function pickOptions(
  state: NotionState,
  property: SourceProperty,
  given: readonly LooseObject[],
): ParsedValue | NotionRefusal {
  let grown = property;
  const values = new Map<string, unknown>();
  for (const option of given) {
    const picked = pickOption(state, grown, option);
    if (isRefusal(picked)) return picked;
    grown = picked.property;
    values.set(JSON.stringify(picked.value), picked.value);
  }
  return { value: [...values.values()], property: grown };
}
