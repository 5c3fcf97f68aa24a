import { Client, type CreatePageParameters } from '@notionhq/client';

import {
  createNotionEmulator,
  type NotionEmulator,
  type NotionEmulatorSettings,
} from '../emulators/notion/notion.ts';

export interface TestNotion {
  readonly notion: NotionEmulator;
  readonly url: string;
  /** The vendor's own client, without retries. */
  readonly client: Client;
  readonly sourceId: string;
}

const running = new Set<NotionEmulator>();

/** Starts a local Notion on any free port; `stopTestNotions` stops it. */
export async function startTestNotion(options: NotionEmulatorSettings = {}): Promise<TestNotion> {
  const notion = createNotionEmulator(options);
  running.add(notion);
  const { url } = await notion.listen();
  return { notion, url, client: createTestClient(url), sourceId: notion.dataSourceId };
}

const logger = (): void => {};

export function createTestClient(url: string, notionVersion = '2025-09-03'): Client {
  return new Client({ auth: 'ntn_test', baseUrl: url, retry: false, timeoutMs: 5000, logger, notionVersion });
}

export async function stopTestNotions(): Promise<void> {
  await Promise.all([...running].map((notion) => notion.close()));
  running.clear();
}

type Text = { readonly text: { readonly content: string } };

export function words(content: string): Text[] {
  return [{ text: { content } }];
}

export function paragraph(content: string) {
  return { paragraph: { rich_text: words(content) } };
}

export function toggle(...children: object[]) {
  return { toggle: { rich_text: words('more'), children } };
}

/** The arguments of a new page of meetings, with changes that may be invalid. */
export function pageOf(sourceId: string, given: object = {}): CreatePageParameters {
  return {
    parent: { type: 'data_source_id', data_source_id: sourceId },
    properties: { Name: { title: words('Launch review') } },
    ...given,
  };
}

/** Calls the API without the vendor's client, for requests that the client would not send. */
export async function callNotion(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      Authorization: 'Bearer ntn_test',
      'Notion-Version': '2025-09-03',
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
