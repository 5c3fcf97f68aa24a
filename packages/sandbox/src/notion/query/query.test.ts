import { iteratePaginatedAPI, type QueryDataSourceParameters } from '@notionhq/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { callNotion } from '../../testing/call-notion.ts';
import { startTestNotion, stopTestNotions, words, type TestNotion } from '../../testing/start-test-notion.ts';

type Filter = NonNullable<QueryDataSourceParameters['filter']>;
type Sorts = NonNullable<QueryDataSourceParameters['sorts']>;

const anna = '0b07a000-0000-4000-8000-000000000002';
const source = {
  id: '11111111-2222-4333-8444-555555555555',
  name: 'Things',
  properties: {
    Name: 'title',
    Note: 'rich_text',
    Size: 'number',
    Done: 'checkbox',
    Kind: 'select',
    Tags: 'multi_select',
    State: 'status',
    Due: 'date',
    Link: 'url',
    Mail: 'email',
    Who: 'people',
    Made: 'created_time',
    Number: 'unique_id',
  },
} as const;

let started: TestNotion;
let now = 0;

beforeAll(async () => {
  now = Date.parse('2026-07-07T12:00:00Z');
  started = await startTestNotion({ clock: () => now, otherSources: [source] });
  const add = async (name: string, properties: object) => {
    await started.client.pages.create({
      parent: { data_source_id: source.id },
      properties: { Name: { title: words(name) }, ...properties },
    });
    now += 60_000;
  };
  await add('Apple', {
    Note: { rich_text: words('Red fruit') },
    Size: { number: 3 },
    Done: { checkbox: true },
    Kind: { select: { name: 'Fruit' } },
    Tags: { multi_select: [{ name: 'sweet' }, { name: 'red' }] },
    State: { status: { name: 'Done' } },
    Due: { date: { start: '2026-07-01' } },
    Link: { url: 'https://example.com/apple' },
    Who: { people: [{ id: anna }] },
  });
  await add('Beet', {
    Size: { number: 10 },
    Kind: { select: { name: 'Root' } },
    Tags: { multi_select: [{ name: 'red' }] },
    Due: { date: { start: '2026-07-07T15:00:00+02:00' } },
    Mail: { email: 'beet@example.com' },
  });
  await add('carrot', { Kind: { select: { name: 'Root' } }, Due: { date: { start: '2026-08-01' } } });
});
afterAll(stopTestNotions);

async function ask(query: Omit<QueryDataSourceParameters, 'data_source_id'>): Promise<readonly string[]> {
  const { results } = await started.client.dataSources.query({ data_source_id: source.id, ...query });
  return results.map(({ id }) => started.notion.received().find((page) => page.id === id)?.title ?? '');
}

const oldestFirst: Sorts = [{ timestamp: 'created_time', direction: 'ascending' }];
const find = (filter: Filter) => ask({ filter, sorts: oldestFirst });

describe('filters', () => {
  it.each<[filter: Filter, found: readonly string[]]>([
    [{ property: 'Name', title: { equals: 'Beet' } }, ['Beet']],
    [{ property: 'title', title: { contains: 'E' } }, ['Apple', 'Beet']],
    [{ property: 'Name', title: { starts_with: 'c' } }, ['carrot']],
    [{ property: 'Name', title: { does_not_contain: 'r' } }, ['Apple', 'Beet']],
    [{ property: 'Note', rich_text: { is_empty: true } }, ['Beet', 'carrot']],
    [{ property: 'Note', rich_text: { ends_with: 'FRUIT' } }, ['Apple']],
    [{ property: 'Size', number: { greater_than: 3 } }, ['Beet']],
    [{ property: 'Size', number: { less_than_or_equal_to: 3 } }, ['Apple']],
    [{ property: 'Size', number: { does_not_equal: 3 } }, ['Beet', 'carrot']],
    [{ property: 'Size', number: { is_not_empty: true } }, ['Apple', 'Beet']],
    [{ property: 'Done', checkbox: { equals: true } }, ['Apple']],
    [{ property: 'Done', checkbox: { does_not_equal: true } }, ['Beet', 'carrot']],
    [{ property: 'Kind', select: { equals: 'Root' } }, ['Beet', 'carrot']],
    [{ property: 'Kind', select: { equals: ['Fruit', 'Nut'] } }, ['Apple']],
    [{ property: 'Kind', select: { does_not_equal: 'Root' } }, ['Apple']],
    [{ property: 'Tags', multi_select: { contains: 'red' } }, ['Apple', 'Beet']],
    [{ property: 'Tags', multi_select: { does_not_contain: 'sweet' } }, ['Beet', 'carrot']],
    [{ property: 'Tags', multi_select: { is_empty: true } }, ['carrot']],
    [{ property: 'State', status: { equals: 'Done' } }, ['Apple']],
    [{ property: 'Due', date: { before: '2026-07-07' } }, ['Apple']],
    [{ property: 'Due', date: { equals: 'today' } }, ['Beet']],
    [{ property: 'Due', date: { equals: '2026-07-07T13:00:00Z' } }, ['Beet']],
    [{ property: 'Due', date: { on_or_after: '2026-07-07' } }, ['Beet', 'carrot']],
    [{ property: 'Due', date: { after: 'one_week_from_now' } }, ['carrot']],
    [{ property: 'Due', date: { past_week: {} } }, ['Apple', 'Beet']],
    [{ property: 'Due', date: { this_week: {} } }, ['Beet']],
    [{ property: 'Due', date: { next_month: {} } }, ['Beet', 'carrot']],
    [{ property: 'Link', url: { contains: 'example.com' } }, ['Apple']],
    [{ property: 'Mail', email: { equals: 'beet@example.com' } }, ['Beet']],
    [{ property: 'Who', people: { contains: anna } }, ['Apple']],
    [{ property: 'Who', people: { contains: 'me' } }, []],
    [{ property: 'Made', created_time: { on_or_before: '2026-07-07T12:01:00Z' } }, ['Apple', 'Beet']],
    [{ property: 'Number', unique_id: { equals: 2 } }, ['Beet']],
    [{ timestamp: 'created_time', created_time: { after: '2026-07-07T12:01:00Z' } }, ['carrot']],
    [{ timestamp: 'last_edited_time', last_edited_time: { equals: 'yesterday' } }, []],
    [{ and: [] }, ['Apple', 'Beet', 'carrot']],
    [
      {
        and: [
          { property: 'Kind', select: { equals: 'Root' } },
          { property: 'Size', number: { is_empty: true } },
        ],
      },
      ['carrot'],
    ],
    [
      {
        or: [
          { property: 'Name', title: { equals: 'Apple' } },
          {
            and: [
              { property: 'Size', number: { equals: 10 } },
              { property: 'Kind', select: { equals: 'Root' } },
            ],
          },
        ],
      },
      ['Apple', 'Beet'],
    ],
  ])('%j', async (filter, found) => {
    expect(await find(filter)).toEqual(found);
  });

  it.each<[filter: object, message: string]>([
    [{ property: 'Nothing', rich_text: { equals: 'x' } }, 'Could not find property with name or id: Nothing'],
    [
      { property: 'State', select: { equals: 'Done' } },
      'The property type in the database does not match the property type of the filter provided: database property status does not match filter select',
    ],
    [
      { property: 'Size', number: { equals: '3' } },
      'body failed validation: body.filter.number.equals should be a number, instead was `"3"`.',
    ],
    [
      { property: 'Due', date: { greater_than: '2026-07-07' } },
      'body failed validation. Fix one:\nbody.filter.date.equals should be defined, instead was `undefined`.\nbody.filter.date.before should be',
    ],
    [
      { and: [{ or: [{ and: [] }] }] },
      'body failed validation. Fix one:\nbody.filter.and[0].or[0].title should be defined, instead was `undefined`.',
    ],
    [
      {},
      'body failed validation. Fix one:\nbody.filter.or should be defined, instead was `undefined`.\nbody.filter.and',
    ],
  ])('%j is refused', async (filter, message) => {
    const { body } = await callNotion(started.url, 'POST', `/v1/data_sources/${source.id}/query`, { filter });
    expect(body).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('sorts', () => {
  it.each<[sorts: Sorts, found: readonly string[]]>([
    [[], ['carrot', 'Beet', 'Apple']],
    [[{ timestamp: 'created_time', direction: 'descending' }], ['carrot', 'Beet', 'Apple']],
    [[{ property: 'Name', direction: 'ascending' }], ['Apple', 'Beet', 'carrot']],
    [[{ property: 'Size', direction: 'descending' }], ['Beet', 'Apple', 'carrot']],
    [[{ property: 'Size', direction: 'ascending' }], ['Apple', 'Beet', 'carrot']],
    [[{ property: 'Due', direction: 'descending' }], ['carrot', 'Beet', 'Apple']],
    [
      [
        { property: 'Kind', direction: 'descending' },
        { property: 'Name', direction: 'descending' },
      ],
      ['carrot', 'Beet', 'Apple'],
    ],
  ])('%j', async (sorts, found) => {
    expect(await ask({ sorts })).toEqual(found);
  });

  it('by the last change', async () => {
    const [apple] = started.notion.received();
    await started.client.pages.update({ page_id: apple?.id ?? '', properties: { Size: { number: 3 } } });
    const sorts: Sorts = [{ timestamp: 'last_edited_time', direction: 'descending' }];
    expect(await ask({ sorts })).toEqual(['Apple', 'carrot', 'Beet']);
    await expect(ask({ sorts: [{ property: 'Age', direction: 'ascending' }] })).rejects.toMatchObject({
      message: 'Could not find sort property with name or id: Age',
    });
  });
});

describe('paging', () => {
  it('gives everything once, whatever the size of a page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), async (size) => {
        const names: string[] = [];
        const args = { data_source_id: source.id, page_size: size, sorts: oldestFirst };
        for await (const { id } of iteratePaginatedAPI(started.client.dataSources.query, args))
          names.push(id);
        expect(names).toEqual(started.notion.received().map(({ id }) => id));
      }),
      { numRuns: 4 },
    );
  });

  it('tells the rest, refuses what is none, and filters properties', async () => {
    const args = { data_source_id: source.id, page_size: 2, filter_properties: ['Name'] };
    const first = await started.client.dataSources.query(args);
    expect([first.results.length, first.has_more]).toEqual([2, true]);
    expect(first.results.map((page) => ('properties' in page ? Object.keys(page.properties) : []))).toEqual([
      ['Name'],
      ['Name'],
    ]);
    const rest = await started.client.dataSources.query({ ...args, start_cursor: first.next_cursor ?? '' });
    expect([rest.results.length, rest.has_more, rest.next_cursor]).toEqual([1, false, null]);
    await expect(ask({ start_cursor: 'x' })).rejects.toMatchObject({
      message: 'The start_cursor provided is invalid: x',
    });
    await expect(ask({ page_size: 101 })).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('leaves out what is in the trash, unless that is asked for', async () => {
    const [apple] = started.notion.received();
    await started.client.pages.update({ page_id: apple?.id ?? '', in_trash: true });
    expect(await ask({})).toEqual(['carrot', 'Beet']);
    expect(await ask({ in_trash: true })).toEqual(['Apple']);
    await started.client.pages.update({ page_id: apple?.id ?? '', in_trash: false });
  });
});

describe('the search', () => {
  it('finds pages and data sources by their title, the last edited first', async () => {
    const search = async (args: object) => {
      const { results } = await started.client.search(args);
      return results.map(({ object }) => object);
    };
    expect(await search({ query: 'APPLE' })).toEqual(['page']);
    expect(await search({ query: 'thing' })).toEqual(['data_source']);
    expect(await search({ query: 'thing', filter: { property: 'object', value: 'page' } })).toEqual([]);
    expect(await search({ page_size: 2 })).toEqual(['page', 'page']);
  });
});
