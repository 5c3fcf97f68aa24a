import { readFileSync } from 'node:fs';

import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { pageOf, startTestNotion, stopTestNotions, words } from '../testing/start-test-notion.ts';
import { workspacePageId } from './notion-ids.ts';
import { describeMismatch } from './schema/describe-mismatch.ts';
import { findMismatches } from './schema/find-mismatches.ts';
import type { SchemaNode } from './schema/schema-node.ts';

afterEach(stopTestNotions);

const file = new URL('../../../../test/vendor-schemas/notion-answers.json', import.meta.url);
const nodeSchema = z.custom<SchemaNode>((value) => typeof value === 'object');
const { definitions } = z
  .object({ definitions: z.record(z.string(), nodeSchema) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

/** Where an answer is not what the SDK's own type says. */
function compare(definition: string, answer: object): readonly string[] {
  // Every answer has it, and no type names it.
  const { request_id: _id, ...rest } = { request_id: '', ...answer };
  const find = (name: string): SchemaNode => definitions[name] ?? {};
  return findMismatches(find(definition), rest, definition, find).map(describeMismatch);
}

const link = { url: 'https://a.io' };
const text = [
  { text: { content: 'x', link } },
  { mention: { date: { start: '2026-07-07' } } },
  { mention: { user: { id: '0b07a000-0000-4000-8000-000000000002' } } },
  { mention: { page: { id: workspacePageId } } },
  { equation: { expression: 'x' } },
];
const withText = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'heading_4',
  'bulleted_list_item',
  'numbered_list_item',
  'quote',
  'to_do',
  'toggle',
  'callout',
  'template',
];
const inner = [{ paragraph: { rich_text: text } }];

/** A block of every type that can be made. */
function listBlocks(uploadId: string): readonly object[] {
  return [
    ...withText.map((type) => ({ [type]: { rich_text: text } })),
    { code: { rich_text: text, language: 'json' } },
    ...['divider', 'breadcrumb', 'table_of_contents'].map((type) => ({ [type]: {} })),
    { equation: { expression: 'x' } },
    { embed: link },
    { bookmark: { ...link, caption: text } },
    ...['image', 'video', 'audio', 'pdf', 'file'].map((type) => ({ [type]: { external: link } })),
    ...['pdf', 'file'].map((type) => ({ [type]: { file_upload: { id: uploadId } } })),
    { link_to_page: { page_id: workspacePageId } },
    { synced_block: { synced_from: null } },
    { table: { table_width: 1, children: [{ table_row: { cells: [text] } }] } },
    { column_list: { children: [{ column: { children: inner } }, { column: { children: inner } }] } },
    { tab: { children: inner } },
    { callout: { rich_text: [], icon: { external: link } } },
  ];
}

describe('answers', () => {
  it('are what the types of the SDK say', async () => {
    const { client, sourceId } = await startTestNotion();
    const types = ['created_by', 'created_time', 'last_edited_by', 'last_edited_time', 'unique_id', 'status'];
    const others = ['checkbox', 'email', 'phone_number', 'people', 'files'];
    const added = Object.fromEntries([...types, ...others].map((type) => [type, { [type]: {} }]));
    const relation = { relation: { data_source_id: sourceId, single_property: {} } };
    const changed = await client.dataSources.update({
      data_source_id: sourceId,
      properties: { ...added, relation },
    });
    const upload = await client.fileUploads.create({ filename: 'a.pdf' });
    const sent = await client.fileUploads.send({
      file_upload_id: upload.id,
      file: { data: new Blob(['x']) },
    });
    const blank = await client.pages.create(pageOf(sourceId));
    const page = await client.pages.create(
      pageOf(sourceId, {
        icon: { emoji: '🚀' },
        cover: { external: link },
        properties: {
          Name: { title: text },
          Date: { date: { start: '2026-07-07' } },
          Source: { select: { name: 'zoom' } },
          Tags: { multi_select: [{ name: 'a' }] },
          status: { status: { name: 'Done' } },
          people: { people: [{ id: '0b07a000-0000-4000-8000-000000000002' }] },
          files: { files: [{ file_upload: { id: upload.id } }, { name: 'e', external: link }] },
          relation: { relation: [{ id: blank.id }] },
        },
        children: listBlocks(upload.id),
      }),
    );
    const sub = await client.pages.create({
      parent: { page_id: page.id },
      properties: { title: { title: words('Sub') } },
    });
    const blocks = await client.blocks.children.list({ block_id: page.id });
    const insides = await Promise.all(
      [workspacePageId, ...blocks.results.map(({ id }) => id)].map(async (id) => {
        const list = await client.blocks.children.list({ block_id: id });
        return list.results;
      }),
    );
    const search = await client.search({});
    const database = await client.databases.retrieve({ database_id: '7d1c5e3a-2b4f-4c60-9a8d-1e0f3b2c4d5e' });
    const appended = await client.blocks.children.append({
      block_id: sub.id,
      children: inner,
    });
    const checked: readonly (readonly [string, object])[] = [
      ['FileUploadObjectResponse', upload],
      ['FileUploadObjectResponse', sent],
      ['PageObjectResponse', blank],
      ['PageObjectResponse', page],
      ['PageObjectResponse', sub],
      ['DataSourceObjectResponse', changed],
      ['DatabaseObjectResponse', database],
      ['ListBlockChildrenResponse', blocks],
      ['ListBlockChildrenResponse', appended],
      ['QueryDataSourceResponse', await client.dataSources.query({ data_source_id: sourceId })],
      ['SearchResponse', search],
      ['ListUsersResponse', await client.users.list({})],
      ...[...blocks.results, ...insides.flat()].map((block) => ['BlockObjectResponse', block] as const),
    ];
    for (const [definition, answer] of checked) expect(compare(definition, answer)).toEqual([]);
    expect(blocks.results).toHaveLength(listBlocks('').length + 1);
    expect(insides.flat().length).toBeGreaterThan(5);
  });
});
