import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { escapeMarkdown } from './escape-markdown.ts';
import { makeFilename } from './make-filename.ts';
import { readMarkdown } from './read-markdown.ts';
import { splitByFont } from './split-by-font.ts';

/** Halves of surrogate pairs and control characters among them. */
const anyCharacter = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

const anyCodePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

describe('Markdown', () => {
  it('is escaped no more than it has to be', () => {
    expect(escapeMarkdown('2 * 3 = [6] `x` <b> \\')).toBe('2 \\* 3 = \\[6\\] \\`x\\` \\<b> \\\\');
    expect(escapeMarkdown('America/New_York, _x_, C#, R&D &amp; 5 > 4')).toBe(
      'America/New_York, \\_x\\_, C#, R&D \\&amp; 5 > 4',
    );
    expect(['# a', '- a', '+ a', '> a', '1. a', '1) a', '1.5 a'].map(escapeMarkdown)).toEqual([
      '\\# a',
      '\\- a',
      '\\+ a',
      '\\> a',
      '1\\. a',
      '1\\) a',
      '1.5 a',
    ]);
  });

  it('reads escaped text back as it was, but for blanks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [block] = readMarkdown(`- ${escapeMarkdown(text)} end`);
        const shown = block?.runs.map((run) => run.text).join('');
        expect(shown?.replaceAll(/\s+/g, ' ').trim()).toBe(`${text} end`.replaceAll(/\s+/g, ' ').trim());
        expect(block?.runs.some(({ isBold }) => isBold)).toBe(false);
      }),
    );
  });

  it('is read as headings, bullets, paragraphs and bold text', () => {
    expect(readMarkdown('# Title\n\none\ntwo **three** four\n* a\n- **b**\n\n**open')).toEqual([
      { kind: 'heading', level: 1, runs: [{ text: 'Title', isBold: false }] },
      {
        kind: 'paragraph',
        level: 0,
        runs: [
          { text: 'one two ', isBold: false },
          { text: 'three', isBold: true },
          { text: ' four', isBold: false },
        ],
      },
      { kind: 'bullet', level: 0, runs: [{ text: 'a', isBold: false }] },
      { kind: 'bullet', level: 0, runs: [{ text: 'b', isBold: true }] },
      { kind: 'paragraph', level: 0, runs: [{ text: 'open', isBold: true }] },
    ]);
  });

  it('takes a line of blanks without searching it again from each of them', () => {
    // Quadratic, it would take minutes.
    const [block] = readMarkdown(`# ${' '.repeat(400_000)}a`);
    expect(block).toMatchObject({ kind: 'heading', runs: [{ text: 'a' }] });
    expect(readMarkdown(`#${' '.repeat(400_000)}a\u2028b`)).toHaveLength(2);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(Array.isArray(readMarkdown(text))).toBe(true);
      }),
    );
  });
});

describe('splitByFont', () => {
  const latin = { name: 'latin', hasCharacter: (character: string) => /[ -~\u00a0-\u02ff]/.test(character) };
  const han = { name: 'han', hasCharacter: (character: string) => /[ 0-9\p{Script=Han}]/u.test(character) };
  const split = (text: string) =>
    splitByFont(text, [latin, han]).map(({ font, text: shown, isMissing }) => [font.name, shown, isMissing]);

  it('keeps a font as long as it can', () => {
    expect(split('a会 议 7 b')).toEqual([
      ['latin', 'a', false],
      ['han', '会 议 7 ', false],
      ['latin', 'b', false],
    ]);
  });

  it('says where something is missing, and drops what cannot be seen', () => {
    expect(split('\u0007u\u0308🙂\u200d')).toEqual([['latin', 'ü?', true]]);
    expect(split('')).toEqual([]);
  });

  it('loses nothing but what cannot be seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 20 }), (text) => {
        const shown = splitByFont(text, [latin, han]).map((run) => run.text);
        const visible = text
          .normalize('NFC')
          .replaceAll(/[\p{Cc}\p{Cf}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu, '');
        expect(Array.from(shown.join('')).length).toBe(Array.from(visible).length);
      }),
    );
  });
});

describe('makeFilename', () => {
  it('never leaves the folder, is never hidden and never too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (title) => {
        const name = makeFilename(title, 'pdf');
        expect(name).toMatch(/^[^.\s/\\][^/\\\p{Cc}]*\.pdf$/u);
        expect(Array.from(name).length).toBeLessThanOrEqual(104);
      }),
    );
  });
});
