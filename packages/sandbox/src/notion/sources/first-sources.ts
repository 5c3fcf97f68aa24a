import { defaultDataSourceId, defaultTasksDataSourceId, workspacePageId } from '../notion-ids.ts';
import { isRefusal } from '../notion-refusal.ts';
import { listInsides, tellTime, type NotionWorld } from '../notion-world.ts';
import { makeDataSource } from './add-data-source.ts';
import type { PropertyType } from './property-types.ts';

/** A column as an option of the stand-in names it. */
export type PropertySetup =
  | PropertyType
  | { readonly type: 'select' | 'multi_select' | 'status'; readonly options: readonly string[] }
  | { readonly type: 'relation'; readonly dataSourceId: string };

/** A data source that is there from the start. */
export interface DataSourceSetup {
  /** A UUID. */
  readonly id: string;
  /** Of the database that it is in; default: any. */
  readonly databaseId?: string;
  readonly name: string;
  /** By name; exactly one is `title`. */
  readonly properties: Readonly<Record<string, PropertySetup>>;
}

/** A table of meetings as somebody would set one up by hand. */
export const meetingsSetup: DataSourceSetup = {
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

/** A table of tasks beside it. `meetingsId` is the data source that they point into. */
export function describeTasksSetup(meetingsId: string): DataSourceSetup {
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

/** Makes the databases of the workspace with a data source each. Throws `RangeError` when its columns make no sense. */
export function addFirstSources(world: NotionWorld, setups: readonly DataSourceSetup[]): void {
  for (const { id, databaseId = world.makeId(), name, properties } of setups) {
    const createdTime = tellTime(world);
    const parent = { type: 'page_id', page_id: workspacePageId } as const;
    world.databases.set(databaseId, {
      id: databaseId,
      title: name,
      parent,
      createdTime,
      lastEditedTime: createdTime,
    });
    world.insides.set(workspacePageId, [...listInsides(world, workspacePageId), databaseId]);
    const wanted = Object.entries(properties).map(([key, property]) => [key, writeChange(property)]);
    const source = makeDataSource(world, { id, databaseId, name }, Object.fromEntries(wanted));
    if (isRefusal(source)) throw new RangeError(`${name}: ${source.message}`);
  }
}

function writeChange(setup: PropertySetup): object {
  if (typeof setup === 'string') return { [setup]: {} };
  if (setup.type === 'relation') {
    return { relation: { data_source_id: setup.dataSourceId, single_property: {} } };
  }
  return { [setup.type]: { options: setup.options.map((name) => ({ name })) } };
}
