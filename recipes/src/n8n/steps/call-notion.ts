import type { Order } from '../order.ts';
import { plainAddress } from '../plain-address.ts';
import { setting } from './settings.ts';

/** The version of Notion's API that knows data sources (developers.notion.com, "Versioning"). */
const notionVersion = '2025-09-03';

/** What the node "Settings" needs for it. */
export function notionSettings(order: Order, dataSource: string): Readonly<Record<string, string>> {
  const { notion } = order.options.destinations ?? {};
  return {
    notion_api: plainAddress(order, 'notion_api', notion?.baseUrl ?? 'https://api.notion.com'),
    data_source_id: order.text(dataSource) ?? notion?.dataSourceId ?? '00000000-0000-0000-0000-000000000000',
  };
}

/**
 * Calls Notion with an HTTP Request: the Notion node of n8n cannot write all of a page. Not with n8n's own credential for
 * Notion either, which adds a `Notion-Version` of 2022 beside the one that is set here (n8n 2.41.1).
 */
export function callNotion(
  { canvas }: Order,
  name: string,
  method: 'POST' | 'PATCH',
  path: string,
  body: string,
): void {
  canvas.add({
    name,
    kind: 'http',
    credential: 'notion',
    // What only changes the data source may be refused: the page may go in without it.
    ...(method === 'PATCH' ? { goesOnAfterError: true } : {}),
    parameters: {
      method,
      url: `={{ ${setting('notion_api')} }}/v1/${path}`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpBearerAuth',
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'Notion-Version', value: notionVersion }] },
      sendBody: true,
      contentType: 'json',
      specifyBody: 'json',
      jsonBody: `={{ JSON.stringify(${body}) }}`,
      options: {
        // Notion takes about three requests a second from one connection.
        batching: { batch: { batchSize: 1, batchInterval: 400 } },
        redirect: { redirect: { followRedirects: false } },
        timeout: 60_000,
      },
    },
  });
}
