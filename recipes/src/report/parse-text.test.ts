import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anyMarkdown, anyUnits, markdownBombs } from '../testing/hostile-text.ts';
import { literalText, parseText } from './parse-text.ts';
import { plainText } from './plain-text.ts';
import type { Block, Inline } from './text-tree.ts';

function text(value: string): Inline {
  return { type: 'text', value };
}

function paragraph(...children: readonly Inline[]): Block {
  return { type: 'paragraph', children };
}

function item(...children: readonly Block[]) {
  return { type: 'listItem' as const, children };
}

function read(markdown: string): readonly Block[] {
  return parseText(markdown).children;
}

describe('parseText', () => {
  it('reads marks, links and line breaks', () => {
    expect(
      read('We **agreed** on _two_ ~~three~~ things, see [the plan](https://example.com/plan).\n`npm test`'),
    ).toEqual([
      paragraph(
        text('We '),
        { type: 'strong', children: [text('agreed')] },
        text(' on '),
        { type: 'emphasis', children: [text('two')] },
        text(' '),
        { type: 'delete', children: [text('three')] },
        text(' things, see '),
        { type: 'link', url: 'https://example.com/plan', children: [text('the plan')] },
        text('.'),
        { type: 'break' },
        { type: 'inlineCode', value: 'npm test' },
      ),
    ]);
  });

  it('reads headings, lists, quotes, code and rules', () => {
    const markdown =
      '## Result ##\n- first\n  - [ ] open\n  - [x] closed\n\n3. third\n4. fourth\n\n> said\n\n```js x\ncode()\n```\n***';
    expect(read(markdown)).toEqual([
      { type: 'heading', depth: 2, children: [text('Result')] },
      {
        type: 'list',
        ordered: false,
        children: [
          item(paragraph(text('first')), {
            type: 'list',
            ordered: false,
            children: [
              { ...item(paragraph(text('open'))), checked: false },
              { ...item(paragraph(text('closed'))), checked: true },
            ],
          }),
        ],
      },
      {
        type: 'list',
        ordered: true,
        start: 3,
        children: [item(paragraph(text('third'))), item(paragraph(text('fourth')))],
      },
      { type: 'blockquote', children: [paragraph(text('said'))] },
      { type: 'code', lang: 'js', value: 'code()' },
      { type: 'thematicBreak' },
    ]);
  });

  it('gives each row of a table the cells of its head, and loses none', () => {
    const [table] = read('| Who | What |\n|:--|--|\n| Ann | Offer<br>two | more |\n| Bob |');
    const cells =
      table?.type === 'table' ? table.children.map((row) => row.children.map((cell) => cell.children)) : [];
    expect(cells).toEqual([
      [[text('Who')], [text('What')]],
      [[text('Ann')], [text('Offer'), { type: 'break' }, text('two | more')]],
      [[text('Bob')], []],
    ]);
  });

  it('makes text of pictures, HTML, mentions and links that lead nowhere good', () => {
    expect(
      read(
        '![logo](x.png) <b>x</b> <!channel> <@U1> [click](javascript:alert(1)) [bank](https://bank.example@evil.example)',
      ),
    ).toEqual([paragraph(text('logo <b>x</b> <!channel> <@U1> click bank'))]);
  });

  it('resolves references and writes footnotes out', () => {
    expect(
      read('See [the plan][p] and [P], as noted[^1].\n\n[p]: https://example.com/p\n[^1]: By Ann.'),
    ).toEqual([
      paragraph(
        text('See '),
        { type: 'link', url: 'https://example.com/p', children: [text('the plan')] },
        text(' and '),
        { type: 'link', url: 'https://example.com/p', children: [text('P')] },
        text(', as noted[^1].'),
      ),
      paragraph(text('[^1]: By Ann.')),
    ]);
  });

  it('resolves references over the whole of a long text, and joins what it reads piece by piece', () => {
    const items = Array.from({ length: 200 }, (_, at) => `- item ${at} of [the list][l]`);
    const children = read(`Items:\n${items.join('\n')}\n\n[l]: https://example.com/l`);
    expect(children.map(({ type }) => type)).toEqual(['paragraph', 'list']);
    const list = children[1];
    expect(list?.type === 'list' && list.children.length).toBe(200);
    expect(JSON.stringify(list).split('https://example.com/l')).toHaveLength(201);
  });

  it('drops what turns the direction and replaces what is no character, however it is written', () => {
    expect(read('a\u202Eb &#x202e;c&#1;\u0000 d\ud800')).toEqual([paragraph(text('ab c\uFFFD d\uFFFD'))]);
  });

  it('bounds the depth of lists, quotes and marks', () => {
    const nested = Array.from({ length: 30 }, (_, at) => `${'  '.repeat(at)}- level ${at}`).join('\n');
    const tree = JSON.stringify(parseText(nested));
    expect(tree.split('"type":"list"')).toHaveLength(9);
    expect(tree).toContain('level 29');
    expect(JSON.stringify(parseText('> > > > > > deep')).split('"blockquote"')).toHaveLength(5);
    expect(JSON.stringify(parseText(`${'**a *b '.repeat(40)}c${'* d**'.repeat(40)}`))).toContain('c');
  });

  it('fills a long address in only so often', () => {
    const bomb = `[a]: https://example.com/${'z'.repeat(1900)}\n\n${'[a] '.repeat(3000)}`;
    expect(JSON.stringify(parseText(bomb)).length).toBeLessThan(400_000);
  });

  it('shows a definition that no text names, so that nothing vanishes', () => {
    expect(read('[a]: http://r.example会議')).toEqual([paragraph(text('[a]: http://r.example会議'))]);
    expect(read('Notes\n\n[^1]: by Ann')).toEqual([
      paragraph(text('Notes')),
      paragraph(text('[^1]: by Ann')),
    ]);
  });

  it('shows what is nested too deep', () => {
    expect(plainText(parseText(`${'> '.repeat(20_000)}deep`))).toContain('deep');
    expect(plainText(parseText(`${'- '.repeat(20_000)}deep`))).toContain('deep');
  });

  it.each([
    [
      'see www.example.com/a_b and http://x.example/?a=1.',
      ['http://www.example.com/a_b', 'http://x.example/?a=1'],
    ],
    [
      '(https://example.com/a(b)) ann@example.com, <https://example.org>',
      ['https://example.com/a(b)', 'mailto:ann@example.com', 'https://example.org'],
    ],
    ['example.com //example.com ftp://example.com `http://example.com`', []],
  ])('finds the addresses in %j', (markdown, urls) => {
    const found = [...JSON.stringify(read(markdown)).matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
    expect(found).toEqual(urls);
  });

  it('comes to an end with whatever was made to hold it up', () => {
    for (const bomb of markdownBombs) expect(JSON.stringify(parseText(bomb)).length).toBeLessThan(3_000_000);
  });

  it('keeps the words, drops the empty and stays well-formed', () => {
    fc.assert(
      fc.property(fc.oneof(anyMarkdown, anyUnits), (markdown) => {
        const tree = parseText(markdown);
        expect(() => encodeURIComponent(plainText(tree))).not.toThrow();
        expect(plainText(tree)).not.toContain('\r');
        expect(JSON.stringify(tree.children).replaceAll('"tableCell","children":[]', '')).not.toContain(
          ':[]',
        );
        // Words in the address of a link are not shown.
        const shown = markdown.replaceAll(/\]\([^)]*|\[a\]: ?\S*/g, '');
        expect(countWords(plainText(tree))).toBeGreaterThanOrEqual(countWords(shown));
      }),
      { numRuns: 100 },
    );
  });
});

describe('literalText', () => {
  it('shows Markdown as it is written', () => {
    expect(literalText('**one**\ntwo\n\n- three').children).toEqual([
      paragraph(text('**one**'), { type: 'break' }, text('two')),
      paragraph(text('- three')),
    ]);
  });
});

/** How often a text that means nothing to Markdown occurs. */
function countWords(markdown: string): number {
  return markdown.split('会議').length;
}
