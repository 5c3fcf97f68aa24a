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
  it.each<[name: string, given: object, message: string]>([
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
      'a property of no type',
      { properties: { Name: { titel: words('x') } } },
      'body failed validation. Fix one:\nbody.properties.Name.title should be defined, instead was `undefined`.\nbody.properties.Name.rich_text',
    ],
    [
      'a number that is a text',
      { properties: { Duration: { number: '45' } } },
      'body failed validation: body.properties.Duration.number should be a number or `null`, instead was `"45"`.',
    ],
    [
      'a date that is none',
      { properties: { Date: { date: { start: '07.07.2026' } } } },
      'body failed validation: body.properties.Date.date.start should be a valid ISO 8601 date string, instead was `"07.07.2026"`.',
    ],
    [
      'a choice with a comma',
      { properties: { Participants: { multi_select: [{ name: 'Berg, Anna' }] } } },
      'Invalid multi_select option, commas not allowed: Berg, Anna',
    ],
    [
      '101 choices',
      {
        properties: {
          Participants: { multi_select: Array.from({ length: 101 }, (_, index) => ({ name: `p${index}` })) },
        },
      },
      'body failed validation: body.properties.Participants.multi_select.length should be ≤ `100`, instead was `101`.',
    ],
    [
      'a name of 101 for a choice',
      { properties: { Source: { select: { name: 'x'.repeat(101) } } } },
      'body.properties.Source.select.name.length should be ≤ `100`, instead was `101`.',
    ],
    [
      'an address of 2001',
      { properties: { 'Report URL': { url: `https://example.com/${'x'.repeat(1981)}` } } },
      'body.properties.Report URL.url.length should be ≤ `2000`, instead was `2001`.',
    ],
    [
      'a title of 2001',
      { properties: { Name: { title: words('x'.repeat(2001)) } } },
      'body.properties.Name.title[0].text.content.length should be ≤ `2000`, instead was `2001`.',
    ],
    [
      '101 pieces of text',
      { children: [{ paragraph: { rich_text: Array.from({ length: 101 }, () => words('x')[0]) } }] },
      'body.children[0].paragraph.rich_text.length should be ≤ `100`, instead was `101`.',
    ],
    [
      '101 blocks',
      { children: some(101) },
      'body failed validation: body.children.length should be ≤ `100`, instead was `101`.',
    ],
    [
      'a text of 2001',
      { children: [paragraph('x'.repeat(2001))] },
      'body failed validation: body.children[0].paragraph.rich_text[0].text.content.length should be ≤ `2000`, instead was `2001`.',
    ],
    [
      'an equation of 1001',
      { children: [{ equation: { expression: 'x'.repeat(1001) } }] },
      'body.children[0].equation.expression.length should be ≤ `1000`, instead was `1001`.',
    ],
    [
      'a third level of children',
      { children: [toggle(toggle(toggle(paragraph('x'))))] },
      'body failed validation: body.children[0].toggle.children[0].toggle.children[0].toggle.children should be not present, instead was `[{"paragraph":{"rich_text":[{"text":{"content":"x"}}]}}...`.',
    ],
    [
      'children that are no list',
      { children: { paragraph: {} } },
      'body failed validation: body.children should be an array or `undefined`, instead was `{"paragraph":{}}`.',
    ],
    [
      'a paragraph without text',
      { children: [{ type: 'paragraph', paragraph: {} }] },
      'body failed validation: body.children[0].paragraph.rich_text should be defined, instead was `undefined`.',
    ],
    [
      'a block that is named and not there',
      { children: [{ type: 'to_do', paragraph: { rich_text: [] } }] },
      'body failed validation: body.children[0].to_do should be defined, instead was `undefined`.',
    ],
    [
      'an unknown block',
      { children: [{ type: 'note', note: {} }] },
      'body failed validation. Fix one:\nbody.children[0].embed should be defined, instead was `undefined`.\nbody.children[0].bookmark should',
    ],
    [
      'a mark that is no boolean',
      { children: [{ to_do: { rich_text: [], checked: 'yes' } }] },
      'body failed validation: body.children[0].to_do.checked should be a boolean or `undefined`, instead was `"yes"`.',
    ],
    [
      'a language that is none',
      { children: [{ code: { rich_text: [], language: 'klingon' } }] },
      'body failed validation: body.children[0].code.language should be `"abap"`, `"abc"`,',
    ],
    [
      'a key that is unknown',
      { children: [{ divider: { colour: 'red' } }] },
      'body failed validation: body.children[0].divider.colour should be not present, instead was `"red"`.',
    ],
    [
      'text without a kind',
      { children: [{ paragraph: { rich_text: [{}] } }] },
      'body failed validation. Fix one:\nbody.children[0].paragraph.rich_text[0].text should be defined, instead was `undefined`.\nbody.children[0].paragraph.rich_text[0].mention',
    ],
    [
      'a link that is no object',
      { children: [{ paragraph: { rich_text: [{ text: { content: 'x', link: 'https://a.io' } }] } }] },
      'body.children[0].paragraph.rich_text[0].text.link should be an object, `null`, or `undefined`, instead was `"https://a.io"`.',
    ],
    [
      'a link to a script',
      {
        children: [{ paragraph: { rich_text: [{ text: { content: 'x', link: { url: 'javascript:x' } } }] } }],
      },
      'Invalid URL for link.',
    ],
    [
      'a picture from nowhere',
      { children: [{ image: { external: { url: 'x.png' } } }] },
      'Content creation Failed. Fix the following: \nInvalid image url.',
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
    [
      'an argument that is unknown',
      { colour: 'red' },
      'body.colour should be not present, instead was `"red"`.',
    ],
    ['no place', { parent: undefined }, 'body.parent should be defined, instead was `undefined`.'],
    [
      'a place that is no id',
      { parent: { data_source_id: 'meetings' } },
      'body.parent.data_source_id should be a valid uuid, instead was `"meetings"`.',
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
    await expect(client.pages.create(pageOf(id))).rejects.toMatchObject(missing);
    await expect(client.pages.retrieve({ page_id: id })).rejects.toMatchObject(missing);
    await expect(client.pages.update({ page_id: id })).rejects.toMatchObject(missing);
    await expect(client.blocks.children.list({ block_id: id })).rejects.toMatchObject(missing);
    await expect(client.blocks.children.append({ block_id: id, children: [] })).rejects.toMatchObject(
      missing,
    );
    await expect(client.dataSources.retrieve({ data_source_id: id })).rejects.toMatchObject(missing);
    await expect(client.dataSources.query({ data_source_id: id })).rejects.toMatchObject(missing);
    const unsupported = (given: object) => client.pages.create(pageOf(sourceId, given));
    const mention = { mention: { user: { id } } };
    for (const given of [
      { markdown: '# x' },
      { parent: { page_id: id } },
      { children: [{ pdf: { file_upload: { id } } }] },
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
