import { execFileSync } from 'node:child_process';

import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';

import { cleanLine, cleanText, cutToWidth, padToWidth, pasteWord, quoteWord } from './text.ts';

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u2028-\u202E\u2066-\u206F]/;

describe('cleanText', () => {
  it.each([
    ['colours', '\u001B[31mred\u001B[0m', 'red'],
    ['a title of the window', '\u001B]0;pwned\u0007after', 'after'],
    ['a link with a hidden target', '\u001B]8;;http://x\u001B\\text\u001B]8;;\u001B\\', 'text'],
    ['the way back over a line', 'paid\r\u001B[2Kunpaid', 'paidunpaid'],
    ['eight-bit controls', '\u009B31mred', 'red'],
    ['a lone escape', 'a\u001Bb', 'ab'],
    ['what turns the direction of writing', 'a\u202Eb\u2066c\u061Cd\u206Ae\u206Ff', 'abcdef'],
    ['tags, which are invisible', 'a\u{E0041}\u{E007F}b', 'ab'],
    ['null and delete', 'a\u0000b\u007Fc', 'abc'],
    ['nothing of a usual text', 'é 日本 👨‍👩‍👧 "x"\n\tнет', 'é 日本 👨‍👩‍👧 "x"\n\tнет'],
    ['line ends of another system', 'a\r\nb\u2028c\u2029d', 'a\nb\nc\nd'],
  ])('takes away %s', (_name, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  it('leaves no control character of any text', () => {
    const nasty = fc.array(
      fc.oneof(
        fc.integer({ min: 0, max: 0x20_6f }).map((code) => String.fromCharCode(code)),
        fc.constantFrom('\u001B[', '\u001B]0;', '\u009B', '\u0007', '\u001B\\', '\u001BP', '\r', '31m'),
      ),
    );
    fc.assert(
      fc.property(nasty, (parts) => {
        expect(cleanText(parts.join(''))).not.toMatch(controls);
      }),
    );
  });
});

it('cleanLine makes one line of several', () => {
  expect(cleanLine('  a\n\n b\u2028c\td  ')).toBe('a b c d');
});

describe('quoteWord', () => {
  it.each([
    ['m_42', 'm_42'],
    ['Weekly sync', "'Weekly sync'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(reboot)', "'$(reboot)'"],
    ['', "''"],
  ])('of %j is %s', (word, quoted) => {
    expect(quoteWord(word)).toBe(quoted);
  });

  it('is read back by a shell as it was', () => {
    const words = ["a'b", '$HOME `x` \\ "y"', '*', 'two\nlines', '!!', '~'];
    const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(quoteWord).join(' ')}`]);
    expect(printed.toString().split('\0').slice(0, -1)).toEqual(words);
  });
});

it.each([
  ['m_42', 'm_42'],
  ['m1;touch /tmp/pwned;echo', "'m1;touch /tmp/pwned;echo'"],
  ['`id`', "'`id`'"],
  ['a\u001B]0;x\u0007b', 'ab'],
])('pasteWord makes %j safe to paste', (word, safe) => {
  expect(pasteWord(word)).toBe(safe);
});

describe('cutToWidth', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('of %j to %d', (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut);
  });

  it('never takes more cells than it may, and padded it takes all of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => {
        const cut = cutToWidth(text, width);
        expect(stringWidth(cut)).toBeLessThanOrEqual(width);
        expect(stringWidth(padToWidth(cut, width))).toBe(width);
      }),
    );
  });
});
