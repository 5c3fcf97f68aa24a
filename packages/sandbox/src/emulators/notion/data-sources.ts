import { createHash } from 'node:crypto';

import { toObject, toObjects, toText, type LooseObject } from '@aftermeet/pages';

import { isRefusal, refuseBody, refuseUnknown, refuseUnsupported, type NotionRefusal } from './errors.ts';
import { describePage } from './pages.ts';
import { findProperty, pickColor, type PropertyOption } from './property-values.ts';
import { queryPages } from './query.ts';
import { richTextOf } from './rich-text.ts';
import { paginate, type NotionRoute } from './route.ts';
import {
  currentTime,
  defaultDataSourceId,
  defaultTasksDataSourceId,
  emptyValueOf,
  isPropertyType,
  toNotionId,
  urlOf,
  type DataSource,
  type NotionState,
  type PropertyType,
  type SourceProperty,
} from './state.ts';
import { botReference } from './users.ts';

const path = '/v1/data_sources/:data_source_id';

/** https://developers.notion.com/reference/data-source */
export const dataSourceRoutes: readonly NotionRoute[] = [
  {
    target: 'data_sources.retrieve',
    method: 'GET',
    path,
    needs: 'read_content',
    handle: (state, { id }) => withSource(state, id, describeDataSource),
  },
  {
    target: 'data_sources.update',
    method: 'PATCH',
    path,
    needs: 'update_content',
    definition: 'UpdateDataSourceParameters',
    handle: (state, { id, body }) =>
      withSource(state, id, (source) => {
        const updated = updateDataSource(state, source, body);
        return isRefusal(updated) ? updated : describeDataSource(updated);
      }),
  },
  {
    target: 'data_sources.query',
    method: 'POST',
    path: `${path}/query`,
    needs: 'read_content',
    definition: 'QueryDataSourceParameters',
    handle: (state, { id, body }) =>
      withSource(state, id, (source) => {
        const pages = queryPages(state, source, body);
        if (isRefusal(pages)) return pages;
        return paginate(pages, body, {
          type: 'page_or_data_source',
          describe: (page) => describePage(state, page),
          idOf: (page) => page.id,
        });
      }),
  },
];

function withSource(state: NotionState, id: string, handle: (source: DataSource) => object): object {
  const source = state.sources.get(id);
  return source === undefined ? refuseUnknown('data source', id) : handle(source);
}

/** The page that holds the databases; it cannot be retrieved. */
const workspacePageId = '3c5d1e7f-9a0b-4c2d-8e4f-6a1b7c2d8e3f';

/** https://developers.notion.com/reference/data-source */
function describeDataSource(source: DataSource): object {
  const properties = source.properties.map(({ id, name, type, config }) => {
    return [name, { id, name, description: null, type, [type]: config }];
  });
  return {
    object: 'data_source',
    id: source.id,
    title: richTextOf(source.name),
    description: [],
    parent: { type: 'database_id', database_id: source.databaseId },
    database_parent: { type: 'page_id', page_id: workspacePageId },
    created_time: source.createdTime,
    last_edited_time: source.lastEditedTime,
    created_by: botReference,
    last_edited_by: botReference,
    properties: Object.fromEntries(properties),
    icon: null,
    cover: null,
    archived: false,
    in_trash: false,
    is_inline: false,
    url: urlOf(source.databaseId),
    public_url: null,
  };
}

/** Adds properties to a data source, or removes some, by a body that fits the schema; its pages follow. */
function updateDataSource(
  state: NotionState,
  source: DataSource,
  body: LooseObject,
): DataSource | NotionRefusal {
  const other = Object.keys(body).find((key) => key !== 'properties');
  if (other !== undefined) return refuseUnsupported(`data_sources.update with ${other}`);
  const properties = changeProperties(state, source.properties, toObject(body['properties']));
  if (isRefusal(properties)) return properties;
  const updated = { ...source, properties, lastEditedTime: currentTime(state) };
  state.sources.set(source.id, updated);
  for (const page of state.pages.values()) {
    if (page.dataSourceId !== source.id) continue;
    const values = properties.map(({ name, type }) => [
      name,
      page.properties[name] ?? { type, value: emptyValueOf(type) },
    ]);
    state.pages.set(page.id, { ...page, properties: Object.fromEntries(values) });
  }
  return updated;
}

/** The properties after a request: each is added, or removed by null. */
function changeProperties(
  state: NotionState,
  before: readonly SourceProperty[],
  changes: LooseObject,
): readonly SourceProperty[] | NotionRefusal {
  let properties = before;
  for (const [key, change] of Object.entries(changes)) {
    const changed = changeProperty(state, properties, key, change);
    if (isRefusal(changed)) return changed;
    properties = changed;
  }
  const titles = properties.filter(({ type }) => type === 'title').length;
  return titles === 1 ? properties : refuseBody('A data source has exactly one title property.');
}

function changeProperty(
  state: NotionState,
  properties: readonly SourceProperty[],
  key: string,
  change: unknown,
): readonly SourceProperty[] | NotionRefusal {
  const known = findProperty(properties, key);
  if (change === null) {
    return known === undefined
      ? refuseBody(`${key} is not a property that exists.`)
      : properties.filter((property) => property !== known);
  }
  const given = toObject(change);
  const [type = ''] = Object.keys(given).filter((name) => name !== 'type' && name !== 'description');
  // Two workers may add the same one.
  if (known?.type === type) return properties;
  if (known !== undefined || !isPropertyType(type)) {
    return refuseUnsupported(known === undefined ? `properties of type ${type}` : 'changes of a property');
  }
  const config = configure(state, type, toObject(given[type]));
  if (isRefusal(config)) return config;
  const id = type === 'title' ? 'title' : makePropertyId(key, properties);
  return [...properties, { id, name: key, type, config }];
}

/** An id that no other property has. */
function makePropertyId(name: string, others: readonly SourceProperty[], attempt = 0): string {
  const id = createHash('sha256')
    .update(`${String(attempt)}${name}`)
    .digest('base64url')
    .slice(0, 5);
  return others.some((other) => other.id === id) ? makePropertyId(name, others, attempt + 1) : id;
}

/** The configuration of a property of this type. */
function configure(state: NotionState, type: PropertyType, given: LooseObject): LooseObject | NotionRefusal {
  const name: string = type;
  switch (name) {
    case 'number':
      return { format: given['format'] ?? 'number' };
    case 'select':
    case 'multi_select':
      return { options: makeOptions(state, given['options']) };
    case 'status':
      return configureStatus(state, given);
    case 'relation':
      return configureRelation(state, given);
    default:
      return {};
  }
}

function makeOptions({ makeId }: NotionState, given: unknown): readonly PropertyOption[] {
  return toObjects(given).map((option, index) => ({
    id: makeId(),
    name: toText(option['name']),
    color: toText(option['color']) || pickColor(index),
    description: null,
  }));
}

const defaultStatuses = [
  { name: 'Not started', color: 'default' },
  { name: 'In progress', color: 'blue' },
  { name: 'Done', color: 'green' },
];

function configureStatus(state: NotionState, given: LooseObject): LooseObject {
  const options = makeOptions(state, given['options'] ?? defaultStatuses);
  const last = options.length - 1;
  const idsOf = (isMember: (index: number) => boolean): readonly string[] =>
    options.filter((_option, index) => isMember(index)).map(({ id }) => id);
  const groups = [
    { name: 'To-do', color: 'gray', option_ids: idsOf((index) => index === 0 && last > 0) },
    { name: 'In progress', color: 'blue', option_ids: idsOf((index) => index > 0 && index < last) },
    { name: 'Complete', color: 'green', option_ids: idsOf((index) => index === last) },
  ];
  return { options, groups: groups.map((group) => ({ id: state.makeId(), ...group })) };
}

function configureRelation({ sources }: NotionState, given: LooseObject): LooseObject | NotionRefusal {
  if (given['dual_property'] !== undefined) return refuseUnsupported('relations that show on both sides');
  const asked = toText(given['data_source_id']);
  const target = sources.get(toNotionId(asked) ?? asked);
  if (target === undefined) return refuseUnknown('data source', asked);
  return {
    data_source_id: target.id,
    database_id: target.databaseId,
    type: 'single_property',
    single_property: toObject(given['single_property']),
  };
}

/** A column as a setting of the emulator. */
export type PropertySetting =
  | PropertyType
  | { readonly type: 'select' | 'multi_select' | 'status'; readonly options: readonly string[] }
  | { readonly type: 'relation'; readonly dataSourceId: string };

/** A data source that exists from the start. */
export interface DataSourceSetting {
  /** A UUID. */
  readonly id: string;
  /** Of its database; default: any. */
  readonly databaseId?: string;
  readonly name: string;
  /** By name; exactly one is `title`. */
  readonly properties: Readonly<Record<string, PropertySetting>>;
}

/** A table of meetings as a user would set it up. */
export const meetingsSource: DataSourceSetting = {
  id: defaultDataSourceId,
  databaseId: '7d1c5e3a-2b4f-4c60-9a8d-1e0f3b2c4d5e',
  name: 'Meetings',
  properties: {
    Name: 'title',
    Date: 'date',
    Duration: 'number',
    Source: 'select',
    Participants: 'multi_select',
    Tags: 'multi_select',
    Status: 'select',
    'Report URL': 'url',
    'Meeting ID': 'rich_text',
  },
};

/** A table of tasks that relate to meetings. */
export function tasksSource(meetingsId: string): DataSourceSetting {
  return {
    id: defaultTasksDataSourceId,
    databaseId: '8e2d6f4b-3c50-4d71-8b9e-2f104c3d5e6f',
    name: 'Tasks',
    properties: {
      Task: 'title',
      Status: 'status',
      Owner: 'people',
      Due: 'date',
      Meeting: { type: 'relation', dataSourceId: meetingsId },
    },
  };
}

/** Creates the data sources of the settings. Throws `RangeError` when the properties of one are invalid. */
export function addDataSources(state: NotionState, settings: readonly DataSourceSetting[]): void {
  for (const { id, databaseId = state.makeId(), name, properties: wanted } of settings) {
    const changes = Object.entries(wanted).map(([key, property]) => [key, toChange(property)]);
    const properties = changeProperties(state, [], Object.fromEntries(changes));
    if (isRefusal(properties)) throw new RangeError(`${name}: ${properties.message}`);
    const createdTime = currentTime(state);
    state.sources.set(id, { id, databaseId, name, properties, createdTime, lastEditedTime: createdTime });
  }
}

function toChange(setting: PropertySetting): object {
  if (typeof setting === 'string') return { [setting]: {} };
  if (setting.type === 'relation') {
    return { relation: { data_source_id: setting.dataSourceId, single_property: {} } };
  }
  return { [setting.type]: { options: setting.options.map((name) => ({ name })) } };
}
