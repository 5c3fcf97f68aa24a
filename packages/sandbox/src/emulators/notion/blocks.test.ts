import { afterEach, describe, expect, it } from 'vitest';

import { pageOf, paragraph, startTestNotion, stopTestNotions, toggle, words } from '../../testing/notion.ts';
import type { NotionBlockTree } from './state.ts';

afterEach(stopTestNotions);

async function startWithPage(children: readonly object[] = []) {
  let now = Date.parse('2026-07-07T12:00:00Z');
  const started = await startTestNotion({ clock: () => now });
  const { id } = await started.client.pages.create(pageOf(started.sourceId, { children }));
  const letters = () => started.notion.readBlocks(id).map(readLetters);
  const pass = (ms: number) => {
    now += ms;
  };
  return { ...started, pageId: id, letters, pass };
}

function readLetters({ content }: NotionBlockTree): unknown {
  const list = content['rich_text'];
  return Array.isArray(list) ? list.map((item: { plain_text: string }) => item.plain_text).join('') : content;
}

describe('what a page holds', () => {
  it('is kept as blocks, in the shape of answers', async () => {
    const { client, pageId } = await startWithPage([
      {
        paragraph: {
          rich_text: [
            { text: { content: 'see ', link: null } },
            { text: { content: 'there', link: { url: 'https://a.io' } }, annotations: { bold: true } },
          ],
        },
      },
      { to_do: { rich_text: words('Call Tom') } },
      {
        table: {
          table_width: 2,
          has_column_header: true,
          children: [{ table_row: { cells: [words('a'), words('b')] } }],
        },
      },
      { callout: { rich_text: words('Look'), icon: { emoji: '💡' } } },
    ]);
    const { results } = await client.blocks.children.list({ block_id: pageId });
    expect(results).toMatchObject([
      {
        object: 'block',
        type: 'paragraph',
        parent: { type: 'page_id', page_id: pageId },
        created_time: '2026-07-07T12:00:00.000Z',
        has_children: false,
        in_trash: false,
        paragraph: {
          color: 'default',
          rich_text: [
            { type: 'text', plain_text: 'see ', href: null, annotations: { bold: false, color: 'default' } },
            { plain_text: 'there', href: 'https://a.io', annotations: { bold: true, code: false } },
          ],
        },
      },
      { to_do: { checked: false, color: 'default' } },
      { has_children: true, table: { table_width: 2, has_column_header: true, has_row_header: false } },
      { callout: { icon: { type: 'emoji', emoji: '💡' } } },
    ]);
    const rows = await client.blocks.children.list({ block_id: results[2]?.id ?? '' });
    expect(rows.results).toMatchObject([
      { type: 'table_row', table_row: { cells: [[{ plain_text: 'a' }], [{ plain_text: 'b' }]] } },
    ]);
  });
});

describe('blocks.children.append', () => {
  it('adds blocks at the end', async () => {
    const { client, pageId, letters } = await startWithPage([paragraph('a')]);
    const children = [paragraph('b'), paragraph('c')];
    const { results } = await client.blocks.children.append({ block_id: pageId, children });
    expect(results).toHaveLength(2);
    expect(letters()).toEqual(['a', 'b', 'c']);
    const place = { position: { type: 'start' } } as const;
    await expect(
      client.blocks.children.append({ block_id: pageId, children, ...place }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('does all or nothing, and nothing where there is no room', async () => {
    const { client, pageId, letters } = await startWithPage([{ divider: {} }, paragraph('a')]);
    const rows = [{ table_row: { cells: [] } }];
    const children = [paragraph('b'), { table: { table_width: 1, children: rows } }];
    await expect(client.blocks.children.append({ block_id: pageId, children })).rejects.toMatchObject({
      message: expect.stringContaining('Number of cells in table row') as string,
    });
    expect(letters()).toEqual([{}, 'a']);
    const { results } = await client.blocks.children.list({ block_id: pageId });
    await expect(
      client.blocks.children.append({ block_id: results[0]?.id ?? '', children: [paragraph('x')] }),
    ).rejects.toMatchObject({ code: 'validation_error', message: 'Block does not support children' });
  });
});

describe('one block', () => {
  it('is changed in the fields that are named, and the page counts as edited', async () => {
    const { client, pageId, pass } = await startWithPage([
      { to_do: { rich_text: words('Call'), color: 'red' } },
    ]);
    const [block] = (await client.blocks.children.list({ block_id: pageId })).results;
    const blockId = block?.id ?? '';
    pass(120_000);
    expect(await client.blocks.update({ block_id: blockId, to_do: { checked: true } })).toMatchObject({
      created_time: '2026-07-07T12:00:00.000Z',
      last_edited_time: '2026-07-07T12:02:00.000Z',
      to_do: { checked: true, color: 'red', rich_text: [{ plain_text: 'Call' }] },
    });
    expect(await client.pages.retrieve({ page_id: pageId })).toMatchObject({
      last_edited_time: '2026-07-07T12:02:00.000Z',
    });
    await expect(
      client.blocks.update({ block_id: blockId, paragraph: { rich_text: [] } }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('body.to_do is not') as string,
    });
    const wrong = { block_id: blockId, to_do: { checked: 'yes' as unknown as boolean } };
    await expect(client.blocks.update(wrong)).rejects.toMatchObject({
      message: expect.stringContaining('body.to_do.checked is not') as string,
    });
  });

  it('is deleted', async () => {
    const { client, pageId, letters } = await startWithPage([paragraph('a'), toggle(paragraph('b'))]);
    const { results } = await client.blocks.children.list({ block_id: pageId });
    const blockId = results[1]?.id ?? '';
    expect(await client.blocks.delete({ block_id: blockId })).toMatchObject({ id: blockId, in_trash: true });
    expect(letters()).toEqual(['a']);
    await expect(client.blocks.delete({ block_id: blockId })).rejects.toMatchObject({ status: 400 });
    await expect(
      client.blocks.children.append({ block_id: blockId, children: [paragraph('x')] }),
    ).rejects.toMatchObject({ code: 'validation_error' });
    await expect(client.blocks.update({ block_id: blockId, in_trash: false })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
