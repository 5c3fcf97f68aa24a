import type { Client } from '@notionhq/client';
import { z } from 'zod';

import type { NotSent } from '../shipment.ts';
import { classifyNotionPreparation } from './classify-notion-error.ts';

/** The property that carries the effect's key, by which an unsettled page is found again. */
export const keyProperty = 'Delivery key';

/** The properties of a data source that a page fills in. */
export interface DataSourceShape {
  readonly titleProperty: string;
  readonly dateProperty?: string;
  readonly meetingIdProperty?: string;
}

export type DataSourceAnswer = { readonly result: 'ready'; readonly shape: DataSourceShape } | NotSent;

const dataSourceSchema = z.object({
  properties: z.record(z.string(), z.object({ name: z.string(), type: z.string() })),
});

/**
 * Reads which properties the data source has and adds the key property when it is missing. Both
 * calls may be repeated. A property of ours with another type is refused, never changed.
 */
export async function readDataSource(client: Client, dataSourceId: string): Promise<DataSourceAnswer> {
  try {
    const answer = await client.dataSources.retrieve({ data_source_id: dataSourceId });
    const { properties } = dataSourceSchema.parse(answer);
    const listed = Object.values(properties);
    const key = listed.find(({ name }) => name === keyProperty);
    if (key !== undefined && key.type !== 'rich_text') {
      const cause = `the Notion property "${keyProperty}" is of type ${key.type}; make it a text property`;
      return { result: 'permanent', cause };
    }
    if (key === undefined) {
      await client.dataSources.update({
        data_source_id: dataSourceId,
        properties: { [keyProperty]: { rich_text: {} } },
      });
    }
    return readShape(listed);
  } catch (error) {
    if (error instanceof z.ZodError) {
      return { result: 'permanent', cause: "Notion's description of the data source cannot be read" };
    }
    return classifyNotionPreparation(error);
  }
}

function readShape(listed: readonly { name: string; type: string }[]): DataSourceAnswer {
  const title = listed.find(({ type }) => type === 'title');
  if (title === undefined) {
    return { result: 'permanent', cause: 'the Notion data source has no title property' };
  }
  const find = (wanted: string, type: string): string | undefined =>
    listed.find((property) => property.type === type && property.name.toLowerCase() === wanted)?.name;
  const dateProperty = find('date', 'date');
  const meetingIdProperty = find('meeting id', 'rich_text');
  return {
    result: 'ready',
    shape: {
      titleProperty: title.name,
      ...(dateProperty === undefined ? {} : { dateProperty }),
      ...(meetingIdProperty === undefined ? {} : { meetingIdProperty }),
    },
  };
}
