import type { Client } from '@notionhq/client';
import { z } from 'zod';

import type { NotSent } from '../shipment.ts';
import { classifyNotionPreparation } from './classify-notion-error.ts';
import type { PropertyShape } from './match-properties.ts';

/** The property that carries the effect's key, by which an unsettled page is found again. */
export const keyProperty = 'Delivery key';

/** The property by which the row of a task is found, whoever made it. */
export const rowProperty = 'Task key';

export type DataSourceAnswer =
  | { readonly result: 'ready'; readonly properties: readonly PropertyShape[] }
  | NotSent;

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

/** Reads the properties of a data source. Throws what the SDK throws, and a ZodError on an answer nobody can read. */
export async function listProperties(
  client: Client,
  dataSourceId: string,
): Promise<readonly PropertyShape[]> {
  const answer = await client.dataSources.retrieve({ data_source_id: dataSourceId });
  return Object.values(dataSourceSchema.parse(answer).properties).map(({ name, type, status, relation }) => ({
    name,
    type,
    ...(status === undefined ? {} : { options: status.options.map((option) => option.name) }),
    ...(relation === undefined ? {} : { pointsInto: relation.data_source_id }),
  }));
}

/**
 * Reads which properties the data source has and adds those of `keys` that are missing. Both calls may be repeated. A
 * property of ours with another type is refused, never changed.
 */
export async function readDataSource(
  client: Client,
  dataSourceId: string,
  keys: readonly string[],
): Promise<DataSourceAnswer> {
  try {
    const properties = await listProperties(client, dataSourceId);
    const problem = findKeyProblem(properties, keys);
    if (problem !== undefined) return { result: 'permanent', cause: problem };
    const missing = keys.filter((key) => properties.every(({ name }) => name !== key));
    if (missing.length > 0) {
      await client.dataSources.update({
        data_source_id: dataSourceId,
        properties: Object.fromEntries(missing.map((key) => [key, { rich_text: {} }])),
      });
    }
    return { result: 'ready', properties };
  } catch (error) {
    if (error instanceof z.ZodError) {
      return { result: 'permanent', cause: "Notion's description of the data source cannot be read" };
    }
    return classifyNotionPreparation(error);
  }
}

/** Why pages can't be found again in a data source with these properties, if they can't. */
export function findKeyProblem(
  properties: readonly PropertyShape[],
  keys: readonly string[],
): string | undefined {
  const wrong = properties.find(({ name, type }) => keys.includes(name) && type !== 'rich_text');
  if (wrong !== undefined) {
    return `the Notion property "${wrong.name}" is of type ${wrong.type}; make it a text property`;
  }
  const hasTitle = properties.some(({ type }) => type === 'title');
  return hasTitle ? undefined : 'the Notion data source has no title property';
}
