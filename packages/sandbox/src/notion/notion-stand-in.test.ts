import { Client, type CreatePageParameters } from '@notionhq/client';
import { afterEach, describe, expect, it } from 'vitest';

import {
  createNotionStandIn,
  type NotionStandIn,
  type NotionStandInOptions,
} from './create-notion-stand-in.ts';

let standIn: NotionStandIn | undefined;
let url = '';

afterEach(() => standIn?.close());

async function start(options: NotionStandInOptions = {}) {
  standIn = createNotionStandIn(options);
  ({ url } = await standIn.listen());
  const client = new Client({
    auth: 'ntn_test',
    baseUrl: url,
    retry: false,
    timeoutMs: 2000,
    logger: () => {},
  });
  return { client, notion: standIn, sourceId: standIn.dataSourceId };
}

const words = (content: string) => [{ text: { content } }];
const paragraph = (content: string) => ({ paragraph: { rich_text: words(content) } });
const toggle = (...children: object[]) => ({ toggle: { rich_text: words('more'), children } });

function pageOf(sourceId: string, given: object = {}): CreatePageParameters {
  return {
    parent: { type: 'data_source_id', data_source_id: sourceId },
    properties: { Name: { title: words('Launch review') } },
    ...given,
  };
}

describe('pages with the real SDK', () => {
  it('creates a page and answers in the shape of Notion', async () => {
    const { client, notion, sourceId } = await start({ clock: () => Date.parse('2026-07-07T12:34:56Z') });
    const page = await client.pages.create(
      pageOf(sourceId, {
        properties: {
          Name: { title: words('Launch review') },
          Date: { date: { start: '2026-07-07T12:00:00Z' } },
          Source: { select: { name: 'gmeet' } },
          Participants: { multi_select: [{ name: 'Anna' }] },
          'Meeting ID': { rich_text: words('m1') },
        },
        children: [paragraph('Hello'), toggle(toggle(paragraph('deep')))],
      }),
    );
    expect(page).toMatchObject({
      object: 'page',
      created_time: '2026-07-07T12:34:00.000Z',
      parent: { type: 'data_source_id', data_source_id: sourceId },
      properties: {
        Name: {
          id: 'title',
          type: 'title',
          title: [{ type: 'text', plain_text: 'Launch review', href: null }],
        },
        Date: { type: 'date', date: { start: '2026-07-07T12:00:00Z', end: null, time_zone: null } },
        Source: { type: 'select', select: { name: 'gmeet' } },
        Duration: { type: 'number', number: null },
      },
    });
    expect(notion.received()).toMatchObject([
      { id: page.id, title: 'Launch review', children: [paragraph('Hello'), {}] },
    ]);
  });

  it('finds a page by the text of a property', async () => {
    const { client, sourceId } = await start();
    const created: string[] = [];
    for (const key of ['k1', 'k2', 'k1']) {
      const properties = { Name: { title: words(key) }, 'Meeting ID': { rich_text: words(key) } };
      created.push((await client.pages.create(pageOf(sourceId, { properties }))).id);
    }
    const filter = { property: 'Meeting ID', rich_text: { equals: 'k1' } };
    const find = (given: object) => client.dataSources.query({ data_source_id: sourceId, filter, ...given });
    expect((await find({})).results.map(({ id }) => id)).toEqual([created[2], created[0]]);
    const oldestFirst = {
      sorts: [{ timestamp: 'created_time' as const, direction: 'ascending' as const }],
      page_size: 1,
    };
    const first = await find(oldestFirst);
    expect([first.results.map(({ id }) => id), first.has_more, first.next_cursor]).toEqual([
      [created[0]],
      true,
      created[2],
    ]);
    const second = await find({ ...oldestFirst, start_cursor: first.next_cursor ?? '' });
    expect([second.results.map(({ id }) => id), second.has_more, second.next_cursor]).toEqual([
      [created[2]],
      false,
      null,
    ]);
    expect((await find({ filter: { property: 'Meeting ID', rich_text: { equals: 'k3' } } })).results).toEqual(
      [],
    );
  });

  it('tells the properties of the data source and takes new ones', async () => {
    const { client, sourceId } = await start();
    const before = await client.dataSources.retrieve({ data_source_id: sourceId });
    expect(before).toMatchObject({
      object: 'data_source',
      properties: { Name: { id: 'title', type: 'title', title: {} } },
    });
    expect(before.properties['Effect key']).toBeUndefined();
    await client.dataSources.update({
      data_source_id: sourceId,
      properties: { 'Effect key': { rich_text: {} }, Duration: null },
    });
    const after = await client.dataSources.retrieve({ data_source_id: sourceId.replaceAll('-', '') });
    expect(after.properties['Effect key']).toMatchObject({ type: 'rich_text', rich_text: {} });
    expect(after.properties['Duration']).toBeUndefined();
    const properties = { Name: { title: words('x') }, 'Effect key': { rich_text: words('k') } };
    await client.pages.create(pageOf(sourceId, { properties }));
    const filter = { property: 'Effect key', rich_text: { equals: 'k' } };
    expect((await client.dataSources.query({ data_source_id: sourceId, filter })).results).toHaveLength(1);
  });

  it('tells who is asking', async () => {
    const { client } = await start();
    expect(await client.users.me({})).toMatchObject({ object: 'user', type: 'bot', name: 'Aftermeet' });
  });
});

describe('refusals', () => {
  const unknown = '11111111-2222-4333-8444-555555555555';

  it('says what it could not find', async () => {
    const { client } = await start();
    const missing = { status: 404, code: 'object_not_found' };
    await expect(client.pages.create(pageOf(unknown))).rejects.toMatchObject(missing);
    await expect(client.dataSources.retrieve({ data_source_id: unknown })).rejects.toMatchObject(missing);
    await expect(client.dataSources.query({ data_source_id: unknown })).rejects.toMatchObject(missing);
  });

  it.each([
    [
      'a property that is not there',
      { properties: { Colour: { rich_text: words('x') } } },
      'Colour is not a property that exists.',
    ],
    [
      'a property of another type',
      { properties: { Name: { rich_text: words('x') } } },
      'Name is expected to be title.',
    ],
    [
      '101 blocks',
      { children: Array.from({ length: 101 }, () => paragraph('x')) },
      'body.children.length should be ≤ `100`, instead was `101`',
    ],
    [
      'a text of 2001',
      { children: [paragraph('x'.repeat(2001))] },
      'rich_text[0].text.content length should be ≤ `2000`, instead was `2001`',
    ],
    ['a title of 2001', { properties: { Name: { title: words('x'.repeat(2001)) } } }, 'instead was `2001`'],
    [
      'a third level of children',
      { children: [toggle(toggle(toggle(paragraph('x'))))] },
      'should be not present',
    ],
    ['an unknown block', { children: [{ banner: {} }] }, 'known block type'],
    [
      'a link that is none',
      {
        children: [{ paragraph: { rich_text: [{ text: { content: 'x', link: { url: 'javascript:x' } } }] } }],
      },
      'should be a valid URL',
    ],
    [
      '1001 blocks',
      {
        children: Array.from({ length: 11 }, () =>
          toggle(...Array.from({ length: 91 }, () => paragraph('x'))),
        ),
      },
      '1000 blocks',
    ],
  ])('refuses %s', async (_name, given, message) => {
    const { client, notion, sourceId } = await start();
    await expect(client.pages.create(pageOf(sourceId, given))).rejects.toMatchObject({
      status: 400,
      code: 'validation_error',
      message: expect.stringContaining(message) as string,
    });
    expect(notion.received()).toEqual([]);
  });

  it('takes pages that reach the limits', async () => {
    const { client, sourceId } = await start();
    const children = [
      toggle(toggle(paragraph('x'.repeat(2000)))),
      ...Array.from({ length: 99 }, () => paragraph('x')),
    ];
    expect((await client.pages.create(pageOf(sourceId, { children }))).object).toBe('page');
  });

  it('refuses filters on what is not there and filters it does not play', async () => {
    const { client, sourceId } = await start();
    const ask = (filter: object) =>
      client.request({ method: 'post', path: `data_sources/${sourceId}/query`, body: { filter } });
    await expect(ask({ property: 'Nothing', rich_text: { equals: 'x' } })).rejects.toMatchObject({
      code: 'validation_error',
    });
    await expect(ask({ property: 'Name', rich_text: { equals: 'x' } })).rejects.toMatchObject({
      code: 'validation_error',
    });
    await expect(ask({ property: 'Meeting ID', rich_text: { contains: 'x' } })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });

  it('wants a token and a version, in the error shape of Notion', async () => {
    await start();
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${url}/v1/users/me`, { headers });
      return [response.status, (await response.json()) as unknown] as const;
    };
    const version = { 'Notion-Version': '2025-09-03' };
    const token = { Authorization: 'Bearer ntn_x' };
    expect(await ask(version)).toEqual([
      401,
      {
        object: 'error',
        status: 401,
        code: 'unauthorized',
        message: 'API token is invalid.',
        request_id: expect.any(String) as string,
      },
    ]);
    expect(await ask(token)).toMatchObject([400, { code: 'missing_version' }]);
    expect(await ask({ ...token, 'Notion-Version': '2022-06-28' })).toMatchObject([
      400,
      { code: 'validation_error' },
    ]);
    expect(await ask({ ...token, ...version })).toMatchObject([200, { object: 'user' }]);
  });

  it('answers other addresses and broken JSON as Notion does', async () => {
    await start();
    const headers = {
      Authorization: 'Bearer ntn_x',
      'Notion-Version': '2025-09-03',
      'Content-Type': 'application/json',
    };
    const response = await fetch(`${url}/v1/blocks/x`, { headers });
    expect(await response.json()).toMatchObject({ object: 'error', code: 'invalid_request_url' });
    const broken = await fetch(`${url}/v1/pages`, { method: 'POST', headers, body: '{' });
    expect(await broken.json()).toMatchObject({ object: 'error', status: 400, code: 'invalid_json' });
  });
});

describe('faults', () => {
  it('drop_after: the page is created, the answer is lost', async () => {
    const { client, notion, sourceId } = await start({
      intercept: ({ method, path }) => (method === 'POST' && path === '/v1/pages' ? 'drop_after' : 'pass'),
    });
    await expect(client.pages.create(pageOf(sourceId))).rejects.toThrow('fetch failed');
    expect(notion.received()).toHaveLength(1);
    expect((await client.dataSources.query({ data_source_id: sourceId })).results).toHaveLength(1);
  });

  it('an answer of the test itself', async () => {
    const body = { object: 'error', status: 503, code: 'service_unavailable', message: 'later' };
    const { client, notion, sourceId } = await start({ intercept: () => ({ status: 503, body }) });
    await expect(client.pages.create(pageOf(sourceId))).rejects.toMatchObject({
      status: 503,
      code: 'service_unavailable',
    });
    expect(notion.received()).toEqual([]);
  });
});

describe('the page', () => {
  it('shows pages to people, escaped, and forgets them on reset', async () => {
    const { client, notion, sourceId } = await start();
    const children = [
      paragraph('<img src=x onerror=alert(1)>'),
      { to_do: { rich_text: words('Call Tom'), checked: true } },
    ];
    await client.pages.create(pageOf(sourceId, { children }));
    const response = await fetch(url);
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x');
    expect(page).toContain('☑ Call Tom');
    notion.reset();
    expect(await (await fetch(url)).text()).toContain('No page yet');
  });
});
