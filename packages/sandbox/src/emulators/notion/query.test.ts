import { type QueryDataSourceParameters } from '@notionhq/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestNotion, stopTestNotions, type TestNotion, words } from '../../testing/notion.ts';

type Query = Omit<QueryDataSourceParameters, 'data_source_id'>;

const source = {
  id: '11111111-2222-4333-8444-555555555555',
  name: 'Things',
  properties: { Name: 'title', Note: 'rich_text', Link: 'url', Size: 'number' },
} as const;

let started: TestNotion;

beforeAll(async () => {
  let now = Date.parse('2026-07-07T12:00:00Z');
  started = await startTestNotion({ clock: () => now, otherSources: [source] });
  for (const [name, note, url] of [
    ['Apple', 'Red fruit', 'https://example.com/apple'],
    ['Bread', 'From the oven', null],
    ['Cherry', '', null],
  ] as const) {
    await started.client.pages.create({
      parent: { data_source_id: source.id },
      properties: { Name: { title: words(name) }, Note: { rich_text: words(note) }, Link: { url } },
    });
    now += 60_000;
  }
});
afterAll(stopTestNotions);

/** The titles that a query finds, in its order. */
async function find(query: Query): Promise<readonly unknown[]> {
  const { results } = await started.client.dataSources.query({ data_source_id: source.id, ...query });
  const pages = started.notion.received();
  return results.map(({ id }) => pages.find((page) => page.id === id)?.title);
}

describe('a filter', () => {
  it.each<[filter: NonNullable<Query['filter']>, titles: readonly string[]]>([
    [{ property: 'Note', rich_text: { equals: 'Red fruit' } }, ['Apple']],
    [{ property: 'Note', rich_text: { equals: 'red fruit' } }, []],
    [{ property: 'Note', rich_text: { starts_with: 'red' } }, ['Apple']],
  ])('%j', async (filter, titles) => {
    const sorts = [{ timestamp: 'created_time', direction: 'ascending' } as const];
    expect(await find({ filter, sorts })).toEqual(titles);
  });

  it.each<[query: Query, code: string, message: string]>([
    [
      { filter: { property: 'Colour', rich_text: { equals: 'x' } } },
      'validation_error',
      'Could not find property with name or id: Colour',
    ],
    [
      { filter: { property: 'Name', rich_text: { equals: 'x' } } },
      'validation_error',
      'of type title, and the filter of type rich_text',
    ],
    [{ filter: { property: 'Size', number: { equals: 1 } } }, 'invalid_request', 'no filters but'],
    [
      { filter: { timestamp: 'created_time', created_time: { past_week: {} } } },
      'invalid_request',
      'no filters but',
    ],
    [{ sorts: [{ property: 'Name', direction: 'ascending' }] }, 'invalid_request', 'no sorting but by'],
    [{ in_trash: true }, 'invalid_request', 'data_sources.query with in_trash'],
    [
      { start_cursor: '11111111-2222-4333-8444-555555555555' },
      'validation_error',
      'The start_cursor provided is invalid',
    ],
  ])('%j is refused', async (query, code, message) => {
    await expect(find(query)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });
});

it('lists the newest first, page by page, without what is in the trash', async () => {
  expect(await find({})).toEqual(['Cherry', 'Bread', 'Apple']);
  const first = await started.client.dataSources.query({ data_source_id: source.id, page_size: 2 });
  expect([first.results.length, first.has_more]).toEqual([2, true]);
  expect(await find({ start_cursor: first.next_cursor ?? '' })).toEqual(['Apple']);
  const bread = started.notion.received()[1]?.id ?? '';
  await started.client.pages.update({ page_id: bread, in_trash: true });
  expect(await find({})).toEqual(['Cherry', 'Apple']);
  await started.client.pages.update({ page_id: bread, in_trash: false });
});
