import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { pageOf, startTestNotion, stopTestNotions } from '../../testing/notion.ts';

afterEach(stopTestNotions);

const file = new URL('../../../../../test/vendor-schemas/notion-answers.json', import.meta.url);
const { definitions } = z
  .object({ definitions: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));
const ajv = new Ajv({ strict: false, validateSchema: false, inlineRefs: false });
ajv.addSchema({ definitions }, 'answers');

/** Where an answer is not what the SDK's own type says. */
function compare(definition: string, answer: object): unknown {
  // Every answer has it, and no type names it.
  const { request_id: _id, ...rest } = { request_id: '', ...answer };
  const validate = ajv.getSchema(`answers#/definitions/${definition}`);
  if (validate === undefined) throw new Error(`The types have no ${definition}.`);
  return validate(rest) === true ? undefined : validate.errors;
}

const link = { url: 'https://a.io' };
const text = [{ text: { content: 'x', link } }];
const withText = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'bulleted_list_item',
  'numbered_list_item',
  'quote',
  'to_do',
  'toggle',
  'callout',
];
const inner = [{ paragraph: { rich_text: text } }];

/** A block of every type that the emulator has. */
function listBlocks(): readonly object[] {
  return [
    ...withText.map((type) => ({ [type]: { rich_text: text } })),
    { code: { rich_text: text, language: 'json' } },
    { divider: {} },
    { table: { table_width: 1, children: [{ table_row: { cells: [text] } }] } },
    { callout: { rich_text: [], icon: { emoji: '💡' } } },
  ];
}

describe('answers', () => {
  it('are what the types of the SDK say', async () => {
    const { client, sourceId } = await startTestNotion();
    const others = ['status', 'checkbox', 'people'];
    const added = Object.fromEntries(others.map((type) => [type, { [type]: {} }]));
    const relation = { relation: { data_source_id: sourceId, single_property: {} } };
    const changed = await client.dataSources.update({
      data_source_id: sourceId,
      properties: { ...added, relation },
    });
    const blank = await client.pages.create(pageOf(sourceId));
    const page = await client.pages.create(
      pageOf(sourceId, {
        properties: {
          Name: { title: text },
          Date: { date: { start: '2026-07-07' } },
          Source: { select: { name: 'zoom' } },
          Tags: { multi_select: [{ name: 'a' }] },
          status: { status: { name: 'Done' } },
          people: { people: [{ id: '0b07a000-0000-4000-8000-000000000002' }] },
          relation: { relation: [{ id: blank.id }] },
        },
        children: listBlocks(),
      }),
    );
    const blocks = await client.blocks.children.list({ block_id: page.id });
    const insides = await Promise.all(
      blocks.results.map(async ({ id }) => {
        const list = await client.blocks.children.list({ block_id: id });
        return list.results;
      }),
    );
    const appended = await client.blocks.children.append({
      block_id: page.id,
      children: inner,
    });
    const checked: readonly (readonly [string, object])[] = [
      ['PageObjectResponse', blank],
      ['PageObjectResponse', page],
      ['DataSourceObjectResponse', changed],
      ['ListBlockChildrenResponse', blocks],
      ['ListBlockChildrenResponse', appended],
      ['QueryDataSourceResponse', await client.dataSources.query({ data_source_id: sourceId })],
      ['ListUsersResponse', await client.users.list({})],
      ...[...blocks.results, ...insides.flat()].map((block) => ['BlockObjectResponse', block] as const),
    ];
    for (const [definition, answer] of checked) expect(compare(definition, answer)).toBeUndefined();
    expect(blocks.results).toHaveLength(listBlocks().length);
    expect(insides.flat().length).toBe(1);
  });
});
