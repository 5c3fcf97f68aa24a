import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anyUnits } from '../testing/hostile-text.ts';
import { tidyLine, tidyText } from './tidy-text.ts';

describe('tidyText', () => {
  it('mends line ends, drops control characters and replaces half a character', () => {
    expect(tidyText('a\r\nb\rc\u0000d\u001be\tf \ud83d g 😀')).toBe('a\nb\ncde\tf \uFFFD g 😀');
  });

  it('drops what turns the direction of everything behind it, and keeps what belongs to a word', () => {
    expect(tidyText('a\u202Eb\u2066c\u2069 \u05d0\u200f \u200d')).toBe('abc \u05d0\u200f \u200d');
  });

  it('leaves well-formed text without controls, whatever comes in', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        const tidy = tidyText(text);
        // encodeURIComponent throws on a lone surrogate.
        expect(() => encodeURIComponent(tidy)).not.toThrow();
        expect(tidyText(tidy)).toBe(tidy);
      }),
    );
  });
});

describe('tidyLine', () => {
  it('keeps a title on one line', () => {
    expect(tidyLine(' Weekly\r\nBcc: evil@z.io\u2028sync\t ')).toBe('Weekly Bcc: evil@z.io sync');
  });

  it.each([
    ' a',
    'a ',
    'a  b',
    'a\u00a0b',
    'a\u2003b',
    'a\ufeffb',
    'a\u0085b',
    'a\tb',
    'a\u202eb',
    'a\ud800b',
  ])('overlooks nothing in %j', (text) => {
    expect(tidyLine(text)).toMatch(/^a ?\uFFFD?b?$/);
  });

  it('is one line of tidy text, whatever comes in', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(tidyLine(text)).toBe(tidyText(text).replaceAll(/\s+/g, ' ').trim());
      }),
    );
  });
});
