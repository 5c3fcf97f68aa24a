import { type Client, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import { type NotSent, sendTimeoutMs } from '../../engine/prepared-send.ts';
import { classifyNotionPreparation } from './classify-notion-error.ts';
import { createCallCounter, openNotionClient } from './client.ts';
import type { PropertyMapping } from './page.ts';
import {
  explainProblem,
  factRules,
  keyProperty,
  matchProperties,
  type PropertyShape,
  rowProperty,
} from './properties.ts';
import type { NotionSettings } from './settings.ts';

type DataSourceResult = { readonly result: 'ready'; readonly properties: readonly PropertyShape[] } | NotSent;

export interface DataSourceCache {
  /** `isCached`: another effect has asked for this answer. */
  read(
    dataSourceId: string,
    keys: readonly string[],
  ): Promise<{ readonly answer: DataSourceResult; readonly isCached: boolean }>;
  forget(dataSourceId: string): void;
}

const cacheMs = 300_000;

/** Reads each data source once in five minutes, and again after `forget`. Failures are not cached. */
export function createDataSourceCache(client: Client, clock: () => number): DataSourceCache {
  const cache = new Map<string, { readonly answer: Promise<DataSourceResult>; readonly readAtMs: number }>();
  return {
    async read(dataSourceId, keys) {
      const name = [dataSourceId, ...keys].join('\n');
      const known = cache.get(name);
      if (known !== undefined && clock() - known.readAtMs < cacheMs) {
        return { answer: await known.answer, isCached: true };
      }
      const entry = { answer: readDataSource(client, dataSourceId, keys), readAtMs: clock() };
      cache.set(name, entry);
      const answer = await entry.answer;
      if (answer.result !== 'ready' && cache.get(name) === entry) cache.delete(name);
      return { answer, isCached: false };
    },
    forget(dataSourceId) {
      for (const name of cache.keys()) if (name.startsWith(`${dataSourceId}\n`)) cache.delete(name);
    },
  };
}

/**
 * Reads the properties of a data source and adds those of `keys` that are missing. Both calls are safe to repeat. A key
 * property of another type is an error and is never changed.
 */
async function readDataSource(
  client: Client,
  dataSourceId: string,
  keys: readonly string[],
): Promise<DataSourceResult> {
  try {
    const properties = await listProperties(client, dataSourceId);
    const problem = findKeyProblem(properties, keys);
    if (problem !== undefined) return { result: 'permanent', cause: problem };
    const missing = listMissing(properties, keys);
    if (missing.length > 0) {
      await client.dataSources.update({
        data_source_id: dataSourceId,
        properties: Object.fromEntries(missing.map((key) => [key, { rich_text: {} }])),
      });
    }
    return { result: 'ready', properties };
  } catch (error) {
    return classifyReadError(error);
  }
}

export type DataSourceCheck =
  | { readonly ok: true; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Checks whether meeting pages or task rows can be created in a data source, with one call that changes nothing.
 * `mapping` is the option `properties` of the recipe. Never throws.
 */
export async function checkDataSource(
  settings: NotionSettings,
  dataSourceId: string,
  mapping: PropertyMapping = {},
  kind: 'meeting' | 'task' = 'meeting',
  timeoutMs = sendTimeoutMs,
): Promise<DataSourceCheck> {
  const client = openNotionClient(settings, timeoutMs, createCallCounter(Date.now));
  const keys = kind === 'task' ? [keyProperty, rowProperty] : [keyProperty];
  try {
    const properties = await listProperties(client, dataSourceId);
    const keyProblem = findKeyProblem(properties, keys);
    const { columns, problems } = matchProperties({ kind, mapping }, properties);
    if (keyProblem !== undefined || problems.length > 0) {
      const found = problems.map(explainProblem);
      return { ok: false, problems: keyProblem === undefined ? found : [keyProblem, ...found] };
    }
    const unused = Object.keys(factRules[kind]).filter((fact) =>
      columns.every((column) => column.fact !== fact),
    );
    return {
      ok: true,
      notes: [
        ...columns.map(({ fact, name, type }) => `${fact} goes to "${name}" (${type})`),
        ...(columns.some(({ fact, type }) => fact === 'owner' && type === 'people') &&
        unused.includes('ownerName')
          ? ['an owner who is not in the workspace is lost: add a text property "Owner name"']
          : []),
        ...unused
          .filter((fact) => fact !== 'ownerName')
          .map((fact) => `${fact} goes nowhere: the data source has no property for it`),
        ...listMissing(properties, keys).map(
          (key) => `the property "${key}" is missing and is added with the first page`,
        ),
      ],
    };
  } catch (error) {
    return { ok: false, problems: [classifyReadError(error).cause] };
  }
}

const optionsSchema = z.object({ options: z.array(z.object({ name: z.string() })) });
const relationSchema = z.object({ data_source_id: z.string() });
const dataSourceSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({
      name: z.string(),
      type: z.string(),
      status: optionsSchema.optional().catch(undefined),
      relation: relationSchema.optional().catch(undefined),
    }),
  ),
});

/** Throws what the SDK throws, and a ZodError for an unexpected answer. */
async function listProperties(client: Client, dataSourceId: string): Promise<readonly PropertyShape[]> {
  const answer = await client.dataSources.retrieve({ data_source_id: dataSourceId });
  return Object.values(dataSourceSchema.parse(answer).properties).map(({ name, type, status, relation }) => ({
    name,
    type,
    ...(status === undefined ? {} : { options: status.options.map((option) => option.name) }),
    ...(relation === undefined ? {} : { relatedSource: relation.data_source_id }),
  }));
}

/** Why pages could not be found again in a data source with these properties. */
function findKeyProblem(properties: readonly PropertyShape[], keys: readonly string[]): string | undefined {
  const wrong = properties.find(({ name, type }) => keys.includes(name) && type !== 'rich_text');
  if (wrong !== undefined) {
    return `the Notion property "${wrong.name}" is of type ${wrong.type}; make it a text property`;
  }
  const hasTitle = properties.some(({ type }) => type === 'title');
  return hasTitle ? undefined : 'the Notion data source has no title property';
}

function listMissing(properties: readonly PropertyShape[], keys: readonly string[]): readonly string[] {
  return keys.filter((key) => properties.every(({ name }) => name !== key));
}

function classifyReadError(error: unknown): NotSent {
  if (!isHTTPResponseError(error) && error instanceof z.ZodError) {
    return { result: 'permanent', cause: "Notion's description of the data source cannot be read" };
  }
  return classifyNotionPreparation(error);
}
