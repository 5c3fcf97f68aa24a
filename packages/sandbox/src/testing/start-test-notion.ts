import { Client, type CreatePageParameters } from '@notionhq/client';

import {
  createNotionStandIn,
  type NotionStandIn,
  type NotionStandInOptions,
} from '../notion/create-notion-stand-in.ts';

export interface TestNotion {
  readonly notion: NotionStandIn;
  readonly url: string;
  /** The vendor's own client, without retries. */
  readonly client: Client;
  readonly sourceId: string;
}

const running = new Set<NotionStandIn>();

/** Starts a local Notion on any free port; `stopTestNotions` stops it. */
export async function startTestNotion(options: NotionStandInOptions = {}): Promise<TestNotion> {
  const notion = createNotionStandIn(options);
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

/** A page of meetings; what is given takes the place of what it would have. Not always one that Notion takes. */
export function pageOf(sourceId: string, given: object = {}): CreatePageParameters {
  return {
    parent: { type: 'data_source_id', data_source_id: sourceId },
    properties: { Name: { title: words('Launch review') } },
    ...given,
  };
}
