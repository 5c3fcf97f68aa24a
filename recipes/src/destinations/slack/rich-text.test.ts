import { describe, expect, it } from 'vitest';

import { parseText } from '../../report/parse-text.ts';
import { blocksToText } from './blocks.ts';
import type { RichTextPart } from './message.ts';
import { toRichText } from './rich-text.ts';

function parts(markdown: string): readonly RichTextPart[] {
  return toRichText(parseText(markdown)).map(({ part }) => part);
}

function section(...elements: object[]): object {
  return { type: 'rich_text_section', elements };
}

function text(words: string, style?: object): object {
  return style === undefined ? { type: 'text', text: words } : { type: 'text', text: words, style };
}

function list(indent: number, style: string, ...items: string[]): object {
  return { type: 'rich_text_list', style, indent, elements: items.map((item) => section(text(item))) };
}

describe('toRichText', () => {
  it('shows mentions and markup of Slack literally', () => {
    expect(parts('a <!channel> and <@U1> & *b*')).toEqual([
      section(text('a <!channel> and <@U1> & '), text('b', { italic: true }), text('\n')),
    ]);
  });

  it('nests styles', () => {
    expect(parts('a **b *c*** ~~d~~ `<e>`')).toEqual([
      section(
        text('a '),
        text('b ', { bold: true }),
        text('c', { bold: true, italic: true }),
        text(' '),
        text('d', { strike: true }),
        text(' '),
        text('<e>', { code: true }),
        text('\n'),
      ),
    ]);
  });

  it('links only to the web and to mail addresses', () => {
    expect(parts('[plan](https://example.com/p) [x](javascript:alert(1))')).toEqual([
      section({ type: 'link', url: 'https://example.com/p', text: 'plan' }, text(' x\n')),
    ]);
  });

  it('separates paragraphs by an empty line, and headings', () => {
    expect(parts('one\n\ntwo\n\n## Next\n\nthree')).toEqual([
      section(text('one\n\ntwo\n')),
      section(text('Next', { bold: true })),
      section(text('three\n')),
    ]);
  });

  it('indents nested lists and shows check boxes', () => {
    expect(parts('- a\n  - [ ] b\n  - [x] c\n- d')).toEqual([
      list(0, 'bullet', 'a'),
      list(1, 'bullet', '☐ b', '☑ c'),
      list(0, 'bullet', 'd'),
    ]);
  });

  it('lets Slack number a list, and writes the numbers where Slack would start again', () => {
    expect(parts('1. a\n2. b')).toEqual([list(0, 'ordered', 'a', 'b')]);
    expect(parts('3. a\n4. b')).toEqual([list(0, 'bullet', '3. a', '4. b')]);
    expect(parts('1. a\n   - x\n2. b')).toEqual([
      list(0, 'bullet', '1. a'),
      list(1, 'bullet', 'x'),
      list(0, 'bullet', '2. b'),
    ]);
  });

  it('has blocks of their own for code and quotes', () => {
    expect(parts('```js\nlet a = "<b>";\n```\n\n> said\n>\n> - twice')).toEqual([
      { type: 'rich_text_preformatted', elements: [text('let a = "<b>";')] },
      { type: 'rich_text_quote', elements: [text('said\n• twice')] },
    ]);
  });

  it('shows a table row by row', () => {
    const table = parts('| Who | What |\n|-|-|\n| Ann | Offer |\n| Bob | |');
    expect(blocksToText([{ type: 'rich_text', elements: [...table] }])).toBe(
      '• Who: Ann · What: Offer\n• Who: Bob',
    );
    expect(table).toHaveLength(1);
  });

  it('makes nothing of an empty text', () => {
    expect(parts('')).toEqual([]);
    expect(parts('---')).toEqual([]);
    expect(parts('- \n- ')).toEqual([]);
  });
});
