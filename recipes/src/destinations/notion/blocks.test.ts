import { describe, expect, it } from 'vitest';

import type { Block, Inline, ListItem } from '../../report/text-tree.ts';
import { renderBlocks } from './blocks.ts';
import { contentOf, type NotionBlock } from './page.ts';

function text(value: string): Inline {
  return { type: 'text', value };
}

function item(value: string, ...inside: Block[]): ListItem {
  return { type: 'listItem', children: [{ type: 'paragraph', children: [text(value)] }, ...inside] };
}

function list(...children: ListItem[]): Block {
  return { type: 'list', ordered: false, children };
}

function render(...children: Block[]): NotionBlock[] {
  return renderBlocks({ type: 'root', children });
}

/** `type text` by level. */
function outline(blocks: readonly NotionBlock[]): unknown[] {
  return blocks.map((block) => {
    const { rich_text = [], children = [] } = contentOf(block);
    const line = `${block.type} ${rich_text.map((run) => run.text.content).join('')}`;
    return children.length === 0 ? line : [line, ...outline(children)];
  });
}

describe('renderBlocks', () => {
  it('keeps two levels and indents deeper text', () => {
    const deep = list(item('a', list(item('b', list(item('c', list(item('d', list(item('e'))))))))));
    expect(outline(render(deep))).toEqual([
      [
        'bulleted_list_item a',
        [
          'bulleted_list_item b',
          'bulleted_list_item c',
          'bulleted_list_item \u2003\u2003d',
          'bulleted_list_item \u2003\u2003\u2003\u2003e',
        ],
      ],
    ]);
  });

  it('renders every kind of block', () => {
    const blocks = render(
      { type: 'heading', depth: 1, children: [text('H')] },
      { type: 'list', ordered: true, children: [item('one')] },
      { type: 'list', ordered: false, children: [{ ...item('done'), checked: true }] },
      { type: 'blockquote', children: [{ type: 'paragraph', children: [text('q')] }, list(item('in'))] },
      { type: 'code', lang: 'TS', value: 'let a' },
      { type: 'code', lang: 'klingon', value: 'x' },
      { type: 'code', lang: 'dart', value: 'main()' },
      { type: 'thematicBreak' },
    );
    expect(outline(blocks)).toEqual([
      'heading_3 H',
      'numbered_list_item one',
      'to_do done',
      ['quote q', 'bulleted_list_item in'],
      'code let a',
      'code x',
      'code main()',
      'divider ',
    ]);
    expect(blocks[2]?.to_do?.checked).toBe(true);
    expect(blocks.map((block) => block.code?.language).filter((name) => name !== undefined)).toEqual([
      'typescript',
      'plain text',
      'dart',
    ]);
  });

  it('keeps styles and links, and shows a link that Notion would reject as text', () => {
    const [block] = render({
      type: 'paragraph',
      children: [
        { type: 'strong', children: [text('b'), { type: 'emphasis', children: [text('bi')] }] },
        { type: 'link', url: 'https://example.com/', children: [{ type: 'inlineCode', value: 'c' }] },
        { type: 'link', url: `https://example.com/${'x'.repeat(2000)}`, children: [text('long')] },
        { type: 'break' },
        { type: 'link', url: 'mailto:a@example.com', children: [text('Ann')] },
        { type: 'link', url: 'mailto:b@example.com', children: [text('b@example.com')] },
        { type: 'delete', children: [text('d')] },
      ],
    });
    const { rich_text: runs = [] } = block?.paragraph ?? {};
    expect(runs.slice(0, 3)).toEqual([
      { type: 'text', text: { content: 'b' }, annotations: { bold: true } },
      { type: 'text', text: { content: 'bi' }, annotations: { bold: true, italic: true } },
      {
        type: 'text',
        text: { content: 'c', link: { url: 'https://example.com/' } },
        annotations: { code: true },
      },
    ]);
    expect(runs.slice(3).every((run) => run.text.link === undefined)).toBe(true);
    expect(runs.map((run) => run.text.content).join('')).toContain('long (https://example.com/xxx');
    expect(runs.at(-2)?.text.content.endsWith('\nAnn (a@example.com)b@example.com')).toBe(true);
    expect(runs.at(-1)).toEqual({
      type: 'text',
      text: { content: 'd' },
      annotations: { strikethrough: true },
    });
  });

  it('splits long text between graphemes, into several blocks if it needs them', () => {
    const family = '👨‍👩‍👧';
    const blocks = render({ type: 'paragraph', children: [text(family.repeat(8000))] });
    const runs = blocks.flatMap((block) => contentOf(block).rich_text ?? []);
    expect(blocks.length).toBeGreaterThan(1);
    expect(runs.every((run) => run.text.content.length <= 2000)).toBe(true);
    expect(runs.every((run) => run.text.content.startsWith('👨') && run.text.content.endsWith('👧'))).toBe(
      true,
    );
    expect(runs.map((run) => run.text.content).join('')).toBe(family.repeat(8000));
  });

  it('makes tables of at most a hundred rows with a head each, and text if a table does not fit', () => {
    const row = (...cells: string[]) => ({
      type: 'tableRow' as const,
      children: cells.map((cell) => ({ type: 'tableCell' as const, children: [text(cell)] })),
    });
    const rows = Array.from({ length: 150 }, (_, index) => row(`${index}`, 'x'));
    const tables = render({ type: 'table', children: [row('n', 'v'), ...rows] });
    expect(tables.map((block) => block.table?.children?.length)).toEqual([100, 52]);
    expect(tables[1]?.table?.children?.[0]).toEqual(tables[0]?.table?.children?.[0]);
    const wide = render({ type: 'table', children: [row(...Array.from({ length: 101 }, () => 'c'))] });
    expect(wide.every(({ type }) => type === 'paragraph')).toBe(true);
    const heavy = render({ type: 'table', children: [row('a'), row('y'.repeat(90_000))] });
    expect(outline(heavy).join('')).toContain('y'.repeat(2000));
  });
});
