import type { Client } from '@notionhq/client';

import { type DataSourceAnswer, readDataSource } from './read-data-source.ts';

/** How long the properties of a data source are believed. */
const lifeMs = 300_000;

export interface KnownShapes {
  /** `isKnown`: the answer was asked for by somebody else, or is remembered. */
  find(
    dataSourceId: string,
    keys: readonly string[],
  ): Promise<{ readonly answer: DataSourceAnswer; readonly isKnown: boolean }>;
  forget(dataSourceId: string): void;
}

/** Reads each data source once in five minutes, and again when somebody doubts what is known of it. */
export function keepShapes(client: Client, clock: () => number): KnownShapes {
  const readings = new Map<
    string,
    { readonly answer: Promise<DataSourceAnswer>; readonly readAtMs: number }
  >();
  return {
    async find(dataSourceId, keys) {
      const name = nameReading(dataSourceId, keys);
      const known = readings.get(name);
      if (known !== undefined && clock() - known.readAtMs < lifeMs) {
        return { answer: await known.answer, isKnown: true };
      }
      const reading = { answer: readDataSource(client, dataSourceId, keys), readAtMs: clock() };
      readings.set(name, reading);
      const answer = await reading.answer;
      if (answer.result !== 'ready' && readings.get(name) === reading) readings.delete(name);
      return { answer, isKnown: false };
    },
    forget(dataSourceId) {
      for (const name of readings.keys()) if (name.startsWith(`${dataSourceId}\n`)) readings.delete(name);
    },
  };
}

function nameReading(dataSourceId: string, keys: readonly string[]): string {
  return [dataSourceId, ...keys].join('\n');
}
