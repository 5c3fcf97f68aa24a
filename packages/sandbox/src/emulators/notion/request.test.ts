import { afterEach, describe, expect, it } from 'vitest';

import {
  callNotion,
  pageOf,
  paragraph,
  startTestNotion,
  stopTestNotions,
  toggle,
  words,
} from '../../testing/notion.ts';

afterEach(stopTestNotions);

const some = (count: number) => Array.from({ length: count }, () => paragraph('x'));
const table = (width: number, ...cells: object[][][]) => ({
  table: { table_width: width, children: cells.map((row) => ({ table_row: { cells: row } })) },
});

describe('a page that Notion would refuse', () => {
  it.each<[name: string, given: object, place: string]>([
    [
      'a property that is not there',
      { properties: { Colour: { rich_text: [] } } },
      'Colour is not a property',
    ],
    [
      'a property of another type',
      { properties: { Name: { rich_text: [] } } },
      'Name is expected to be title',
    ],
    [
      'a number that is a text',
      { properties: { Duration: { number: '45' } } },
      'body.properties.Duration.number is not what',
    ],
    [
      'a date that is none',
      { properties: { Date: { date: { start: '07.07.2026' } } } },
      'body.properties.Date.date.start is not what',
    ],
    [
      'a choice with a comma',
      { properties: { Participants: { multi_select: [{ name: 'Berg, Anna' }] } } },
      'commas not allowed: Berg, Anna',
    ],
    [
      'a name of 101 for a choice',
      { properties: { Source: { select: { name: 'x'.repeat(101) } } } },
      'body.properties.Source.select.name.length should be ≤ `100`',
    ],
    [
      'an address of 2001',
      { properties: { 'Report URL': { url: `https://example.com/${'x'.repeat(1981)}` } } },
      'body.properties.Report URL.url.length should be ≤ `2000`',
    ],
    ['101 blocks', { children: some(101) }, 'body.children.length should be ≤ `100`'],
    [
      'a text of 2001',
      { children: [paragraph('x'.repeat(2001))] },
      'body.children[0].paragraph.rich_text[0].text.content.length should be ≤ `2000`',
    ],
    [
      'a third level of children',
      { children: [toggle(toggle(toggle(paragraph('x'))))] },
      'body.children[0].toggle.children[0].toggle.children[0].toggle.children is not what',
    ],
    [
      'a paragraph without text',
      { children: [{ type: 'paragraph', paragraph: {} }] },
      'body.children[0].paragraph.rich_text is not what',
    ],
    ['an unknown block', { children: [{ type: 'note', note: {} }] }, 'body.children[0].'],
    [
      'a link to a script',
      {
        children: [{ paragraph: { rich_text: [{ text: { content: 'x', link: { url: 'javascript:x' } } }] } }],
      },
      'Invalid URL for link.',
    ],
    [
      'a row that is too short',
      { children: [table(2, [words('a')])] },
      'Number of cells in table row must match the table width of the parent table',
    ],
    ['a row without a table', { children: [{ table_row: { cells: [] } }] }, 'A table_row block cannot stand'],
    [
      'children of a heading that does not fold',
      { children: [{ heading_2: { rich_text: [], children: some(1) } }] },
      'Block does not support children',
    ],
    ['1001 blocks', { children: Array.from({ length: 11 }, () => toggle(...some(91))) }, '1000 blocks'],
    [
      'more than 500 KB',
      {
        children: Array.from({ length: 100 }, () =>
          toggle(...Array.from({ length: 3 }, () => paragraph('ä'.repeat(1000)))),
        ),
      },
      '500000 bytes',
    ],
    ['an argument that is unknown', { colour: 'red' }, 'body.colour is not what'],
    ['no place', { parent: undefined }, 'body.parent is not what'],
    [
      'a place that is no id',
      { parent: { data_source_id: 'meetings' } },
      'body.parent.data_source_id is not',
    ],
  ])('%s', async (_name, given, message) => {
    const { url, notion, sourceId } = await startTestNotion();
    const { status, body } = await callNotion(url, 'POST', '/v1/pages', pageOf(sourceId, given));
    expect([status, body]).toEqual([
      400,
      {
        object: 'error',
        status: 400,
        code: 'validation_error',
        message: expect.stringContaining(message) as string,
        request_id: expect.any(String) as string,
      },
    ]);
    expect(notion.received()).toEqual([]);
  });

  it('says what it could not find, and what the emulator does not support', async () => {
    const { client, sourceId } = await startTestNotion();
    const id = '11111111-2222-4333-8444-555555555555';
    const missing = { status: 404, code: 'object_not_found', message: expect.stringContaining(id) as string };
    const calls = [
      client.pages.create(pageOf(id)),
      client.pages.retrieve({ page_id: id }),
      client.pages.update({ page_id: id }),
      client.blocks.children.list({ block_id: id }),
      client.blocks.children.append({ block_id: id, children: [] }),
      client.dataSources.retrieve({ data_source_id: id }),
      client.dataSources.query({ data_source_id: id }),
    ];
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(missing)));
    const unsupported = (given: object) => client.pages.create(pageOf(sourceId, given));
    const mention = { mention: { user: { id } } };
    for (const given of [
      { markdown: '# x' },
      { parent: { page_id: id } },
      { children: [{ image: { external: { url: 'https://a.io' } } }] },
      { icon: { emoji: '🚀' } },
      { children: [{ paragraph: { rich_text: [mention] } }] },
    ]) {
      await expect(unsupported(given)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('is taken when it reaches the limits', async () => {
    const { client, notion, sourceId } = await startTestNotion();
    const children = [toggle(toggle(paragraph('x'.repeat(2000)))), ...some(99)];
    const { id } = await client.pages.create(pageOf(sourceId, { children }));
    expect(notion.readBlocks(id)).toHaveLength(100);
  });
});

describe('hostile bodies', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

  it.each([
    ['deep lists', `{"parent":{"workspace":true},"children":${deep}}`],
    ['a deep unknown key', `{"parent":{"workspace":true},"x":${deep}}`],
    [
      'many wrong blocks',
      JSON.stringify({ parent: { workspace: true }, children: Array.from({ length: 100_000 }, () => 0) }),
    ],
    [
      'many wrong texts',
      JSON.stringify({
        parent: { workspace: true },
        children: [{ paragraph: { rich_text: Array.from({ length: 20_000 }, () => ({ text: 5 })) } }],
      }),
    ],
    [
      'keys of every object',
      '{"parent":{"data_source_id":"5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5c"},"properties":{"__proto__":{"title":[]},"constructor":{"title":[]}}}',
    ],
    ['more than is read', JSON.stringify({ markdown: 'x'.repeat(2_200_000) })],
  ])('%s are refused at once', async (_name, body) => {
    const { url } = await startTestNotion();
    const startMs = performance.now();
    const answer = await callNotion(url, 'POST', '/v1/pages', body);
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'validation_error' }]);
    expect(performance.now() - startMs).toBeLessThan(5000);
  });
});
