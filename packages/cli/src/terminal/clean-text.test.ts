import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cleanLine, cleanText } from './clean-text.ts';

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

describe('cleanLine', () => {
  it('makes one line of several', () => {
    expect(cleanLine('  a\n\n b\u2028c\td  ')).toBe('a b c d');
  });
});
