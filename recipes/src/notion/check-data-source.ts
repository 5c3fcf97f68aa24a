import { isHTTPResponseError } from '@notionhq/client';

import type { NotionSettings } from '../destinations.ts';
import { sendTimeoutMs } from '../shipment.ts';
import { classifyNotionPreparation } from './classify-notion-error.ts';
import { explainProblem, matchProperties } from './match-properties.ts';
import { countCalls, openNotionClient } from './notion-calls.ts';
import { factRules } from './notion-fields.ts';
import type { PropertyMapping } from './notion-page.ts';
import { findKeyProblem, keyProperty, listProperties, rowProperty } from './read-data-source.ts';

export type DataSourceCheck =
  | { readonly ok: true; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Whether pages (`meeting`) or rows of tasks (`task`) can be put into a data source: one call that changes nothing.
 * `mapping` is the option `properties` of the recipe. Never throws.
 */
export async function checkDataSource(
  settings: NotionSettings,
  dataSourceId: string,
  mapping: PropertyMapping = {},
  kind: 'meeting' | 'task' = 'meeting',
  timeoutMs = sendTimeoutMs,
): Promise<DataSourceCheck> {
  const client = openNotionClient(settings, timeoutMs, countCalls(Date.now));
  try {
    const properties = await listProperties(client, dataSourceId);
    const keys = kind === 'task' ? [keyProperty, rowProperty] : [keyProperty];
    const wrongKey = findKeyProblem(properties, keys);
    const { columns, problems } = matchProperties(kind, mapping, properties);
    if (wrongKey !== undefined || problems.length > 0) {
      const found = problems.map(explainProblem);
      return { ok: false, problems: wrongKey === undefined ? found : [wrongKey, ...found] };
    }
    const missing = keys.filter((key) => properties.every(({ name }) => name !== key));
    const unused = Object.keys(factRules[kind]).filter((fact) =>
      columns.every((column) => column.fact !== fact),
    );
    return {
      ok: true,
      notes: [
        ...columns.map(({ fact, name, type }) => `${fact} goes to "${name}" (${type})`),
        ...unused.map((fact) => `${fact} goes nowhere: the data source has no property for it`),
        ...missing.map((key) => `the property "${key}" is missing and is added with the first page`),
      ],
    };
  } catch (error) {
    if (isHTTPResponseError(error) || !(error instanceof Error) || error.name !== 'ZodError') {
      return { ok: false, problems: [classifyNotionPreparation(error).cause] };
    }
    return { ok: false, problems: ["Notion's description of the data source cannot be read"] };
  }
}
