import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Block, Inline, TextTree } from '../../report/text-tree.ts';
import { fitItems, fitTree, htmlItem, htmlTree } from './mail-html.ts';

const text = (value: string): Inline => ({ type: 'text', value });

const paragraph = (...children: readonly Inline[]): Block => ({ type: 'paragraph', children });

const root = (...children: readonly Block[]): TextTree => ({ type: 'root', children });

/** The tags alone: what a reader of a mail builds of it. */
function listTags(html: string): string {
  return [...html.matchAll(/<(\/?[a-z0-9]+)/g)].map(([, tag]) => tag).join(' ');
}

describe('htmlTree', () => {
  it('nests lists as lists', () => {
    const inner: Block = {
      type: 'list',
      ordered: true,
      start: 3,
      children: [{ type: 'listItem', children: [paragraph(text('inner'))] }],
    };
    const html = htmlTree(
      root({
        type: 'list',
        ordered: false,
        children: [{ type: 'listItem', children: [paragraph(text('outer')), inner] }],
      }),
    );
    expect(listTags(html)).toBe('ul li ol li /li /ol /li /ul');
    expect(html).toContain('<ol start="3"');
    expect(html).toMatch(/<ul dir="auto" style="[^"]*padding:0 22px">/);
  });

  it('shows check boxes as signs, which every reader has', () => {
    const children = [true, false].map((checked) => ({
      type: 'listItem' as const,
      checked,
      children: [paragraph(text('do it'))],
    }));
    const html = htmlTree(root({ type: 'list', ordered: false, children }));
    expect(html).toContain('>☑&nbsp;do it</li>');
    expect(html).toContain('>☐&nbsp;do it</li>');
  });

  it('puts the headings of a text below those of the mail', () => {
    const heading = (depth: 1 | 6): Block => ({ type: 'heading', depth, children: [text('x')] });
    expect(listTags(htmlTree(root(heading(1), heading(6))))).toBe('h3 /h3 h6 /h6');
  });

  it('draws a table with a head, which breaks its words in place of scrolling', () => {
    const row = (value: string) => ({
      type: 'tableRow' as const,
      children: [{ type: 'tableCell' as const, children: [text(value)] }],
    });
    const html = htmlTree(root({ type: 'table', children: [row('head'), row('cell')] }));
    expect(listTags(html)).toBe('table thead tr th /th /tr /thead tbody tr td /td /tr /tbody /table');
    expect(html).toContain('table-layout:fixed');
    expect(html).toContain('overflow-wrap:anywhere');
  });

  it.each([
    ['https://example.com/?a=1&b="2"', '<a href="https://example.com/?a=1&amp;b=&quot;2&quot;"'],
    ['mailto:ann@example.com', '<a href="mailto:ann@example.com"'],
    ['javascript:alert(1)', '<p dir="auto" style="margin:0 0 12px">there</p>'],
    ['data:text/html,x', '<p dir="auto" style="margin:0 0 12px">there</p>'],
  ])('a link to %s', (url, expected) => {
    expect(htmlTree(root(paragraph({ type: 'link', url, children: [text('there')] })))).toContain(expected);
  });

  it('leaves text text, wherever it stands', () => {
    const hostile = '"><script>alert(1)</script><!--am-note-->';
    const html = htmlTree(
      root(
        paragraph(text(hostile), { type: 'inlineCode', value: hostile }),
        { type: 'code', value: hostile },
        { type: 'blockquote', children: [paragraph({ type: 'strong', children: [text(hostile)] })] },
        { type: 'thematicBreak' },
      ),
    );
    expect(html).not.toMatch(/<script|<!--/);
    expect(html.match(/&lt;script&gt;/g)).toHaveLength(4);
  });

  it('closes what it opens, however deep a tree is', () => {
    const { block } = fc.letrec<{ block: Block; inline: Inline }>((tie) => ({
      inline: fc.oneof(
        { maxDepth: 4 },
        fc.string().map(text),
        fc.record({
          type: fc.constant('strong' as const),
          children: fc.array(tie('inline'), { maxLength: 2 }),
        }),
      ),
      block: fc.oneof(
        { maxDepth: 6 },
        fc.record({
          type: fc.constant('paragraph' as const),
          children: fc.array(tie('inline'), { maxLength: 3 }),
        }),
        fc.record({
          type: fc.constant('blockquote' as const),
          children: fc.array(tie('block'), { maxLength: 2 }),
        }),
        fc.record({
          type: fc.constant('list' as const),
          ordered: fc.boolean(),
          children: fc.array(
            fc.record({
              type: fc.constant('listItem' as const),
              children: fc.array(tie('block'), { maxLength: 2 }),
            }),
            { maxLength: 2 },
          ),
        }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (children) => {
        const open: string[] = [];
        for (const tag of listTags(htmlTree(root(...children))).split(' ')) {
          if (tag.startsWith('/')) expect(`/${open.pop() ?? ''}`).toBe(tag);
          else if (tag !== '') open.push(tag);
        }
        expect(open).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('htmlItem', () => {
  it('is the words alone where there is one paragraph', () => {
    expect(htmlItem(root(paragraph(text('a & b'), { type: 'break' })))).toBe('a &amp; b<br>');
    expect(listTags(htmlItem(root(paragraph(text('a')), paragraph(text('b')))))).toBe('p /p p /p');
  });
});

describe('fitTree', () => {
  it('cuts a long list between its items, and goes on with its numbers', () => {
    const children = Array.from({ length: 100 }, (_, index) => ({
      type: 'listItem' as const,
      children: [paragraph(text(`item ${index + 1}`))],
    }));
    const tree = root({ type: 'list', ordered: true, start: 5, children });
    const whole = fitTree(tree, 100_000);
    expect(whole.isCut).toBe(false);
    expect([...whole.html.matchAll(/<ol start="(\d+)"/g)].map(([, start]) => start)).toEqual([
      '5',
      '45',
      '85',
    ]);
    const cut = fitTree(tree, whole.bytes - 100);
    expect(cut.isCut).toBe(true);
    expect(cut.bytes).toBeLessThanOrEqual(whole.bytes - 100);
    expect(listTags(cut.html).match(/\bol\b/g)).toHaveLength(4);
  });
});

describe('fitItems', () => {
  it('writes as many as fit and one more, however many there are', () => {
    let written = 0;
    const write = (item: number): string => {
      written += 1;
      return `<p>ä${item}</p>`;
    };
    const items = Array.from({ length: 30_000 }, () => 1);
    expect(fitItems(items, write, 25)).toEqual({ html: '<p>ä1</p>\n<p>ä1</p>', bytes: 22, isCut: true });
    expect(written).toBe(3);
    expect(fitItems([1], write, 25)).toMatchObject({ isCut: false });
    expect(fitItems([1], write, 10)).toEqual({ html: '', bytes: 0, isCut: true });
  });
});
