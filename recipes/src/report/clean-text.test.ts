import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anyUnits } from '../testing/hostile-text.ts';
import { cutText, splitText, cleanLine, cleanText } from './clean-text.ts';

describe('tidyText', () => {
  it('mends line ends, drops control characters and replaces half a character', () => {
    expect(cleanText('a\r\nb\rc\u0000d\u001be\tf \ud83d g 😀')).toBe('a\nb\ncde\tf \uFFFD g 😀');
  });

  it('drops what turns the direction of everything behind it, and keeps what belongs to a word', () => {
    expect(cleanText('a\u202Eb\u2066c\u2069 \u05d0\u200f \u200d')).toBe('abc \u05d0\u200f \u200d');
  });

  it('leaves well-formed text without controls, whatever comes in', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        const tidy = cleanText(text);
        // encodeURIComponent throws on a lone surrogate.
        expect(() => encodeURIComponent(tidy)).not.toThrow();
        expect(cleanText(tidy)).toBe(tidy);
      }),
    );
  });
});

describe('tidyLine', () => {
  it('keeps a title on one line', () => {
    expect(cleanLine(' Weekly\r\nBcc: evil@z.io\u2028sync\t ')).toBe('Weekly Bcc: evil@z.io sync');
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
    expect(cleanLine(text)).toMatch(/^a ?\uFFFD?b?$/);
  });

  it('is one line of tidy text, whatever comes in', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(cleanLine(text)).toBe(cleanText(text).replaceAll(/\s+/g, ' ').trim());
      }),
    );
  });
});

describe('cutText', () => {
  it('leaves text that fits', () => {
    expect(cutText('Weekly sync', 11)).toBe('Weekly sync');
  });

  it('cuts between words and marks the cut', () => {
    expect(cutText('Weekly sync with the whole team', 20)).toBe('Weekly sync with…');
  });

  it('never cuts a family of emojis into its members', () => {
    expect(cutText('ab👨‍👩‍👧cd', 6)).toBe('ab…');
  });

  it('stays within the length and well-formed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 0, max: 100 }),
        (text, max) => {
          const cut = cutText(text, max);
          expect(cut.length).toBeLessThanOrEqual(max);
          expect(() => encodeURIComponent(cut)).not.toThrow();
        },
      ),
    );
  });
});

describe('splitText', () => {
  it('loses nothing and keeps every piece within the length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 40, max: 100 }),
        (text, max) => {
          const pieces = splitText(text, max);
          expect(pieces.join('')).toBe(text);
          for (const piece of pieces) {
            expect(piece.length).toBeLessThanOrEqual(max);
            expect(() => encodeURIComponent(piece)).not.toThrow();
          }
        },
      ),
    );
  });
});
